"""Where the API is, and with which switch."""

from measure.compatibility.behaviour import Behaviour, Script

BEHAVIOURS = (
    Behaviour(
        id="exposure/where",
        question="Which objects have `modelContext`?",
        section="#document-extension",
        asked=Script(
            """
            const places = { document, navigator };
            return Object.keys(places).filter((name) => 'modelContext' in places[name]).join(',') || 'nowhere';
            """
        ),
        values={
            "document": "`document.modelContext` only.",
            "navigator": "`navigator.modelContext` only.",
            "document,navigator": "Both.",
            "nowhere": "Neither.",
        },
    ),
)
