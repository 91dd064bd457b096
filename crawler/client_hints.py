"""What the browser says it is, in the user agent and in the client hints alike."""

from typing import Any

from crawler.settings import VisitSettings


def client_hints(settings: VisitSettings, build: str) -> dict[str, Any]:
    """The user agent with client hints that match it: the shell must not say `HeadlessChrome` in either."""
    major = build.partition(".")[0]
    brands = (("Not:A-Brand", "8", "8.0.0.0"), ("Chromium", major, build))
    return {
        "userAgent": settings.user_agent,
        "acceptLanguage": settings.locale,
        "platform": "Linux x86_64",
        "userAgentMetadata": {
            "brands": [{"brand": name, "version": version} for name, version, _ in brands],
            "fullVersionList": [{"brand": name, "version": full} for name, _, full in brands],
            "platform": "Linux",
            "platformVersion": "",
            "architecture": "x86",
            "bitness": "64",
            "model": "",
            "mobile": False,
        },
    }
