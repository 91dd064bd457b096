"""English words that the rules know by their part in a name or a sentence. Data, no decisions."""

STOP_WORDS = frozenset(
    "a an the this that these those it its they them their he him his she her you your we our us i my me and or but"
    " nor so if of in on at by to from for with without into onto over under as is are was were be been being do does"
    " did has have had will would can could should may might must shall not no any all some each every both"
    " either neither which who whom whose what when where why how than then there here also only just very more most"
    " such other another same own up down out off about via per between within across after before again once".split()
)
"""Function words: they say how a sentence is built and not what it is about."""

GENERIC = frozenset(
    "get set do run make use call handle process execute perform work manage tool function method action command api"
    " data info information thing item object value result utility helper misc stuff test foo bar demo main handler"
    " operation task request response service util input output default custom general generic".split()
)
"""Words that fit any tool: in a name they say nothing of this one."""

SAME_ACTION = (
    "get fetch retrieve read load show list view display lookup find search query browse".split(),
    "add create new insert make".split(),
    "remove delete erase drop discard clear reset".split(),
    "update edit modify change set adjust".split(),
    "submit send post".split(),
    "sum total summarise summarize aggregate summary".split(),
    "buy purchase order checkout pay".split(),
    "book reserve schedule".split(),
    "compute calculate calc count".split(),
    "open launch start begin".split(),
    "close stop end finish".split(),
    "login signin".split(),
    "register signup".split(),
)
"""Verbs that builders use for one action: two names that differ only in such a pair name one thing."""

VARIANTS = frozenset("old new legacy beta alpha copy temp tmp alt alternative deprecated final".split())
"""Words that mark another copy of a tool, as a version number does."""

WRITES = frozenset(
    "add create insert delete remove update edit modify save submit send post publish upload book reserve schedule"
    " cancel buy purchase pay checkout order transfer refund subscribe unsubscribe register rename approve reject"
    " refill withdraw donate apply".split()
)
"""Verbs at the start of a name that change something beyond the view."""

CONSEQUENTIAL = frozenset(
    "buy purchase pay checkout order transfer refund donate withdraw delete cancel publish book reserve send"
    " submit subscribe unsubscribe".split()
)
"""Verbs at the start of a name whose effect is costly to take back: money, messages, appointments, deletion."""

NOUNS_AFTER_VERB = frozenset(
    "history status list details detail info information summary count total number id form page tracking state"
    " overview options by filters filter sort view draft preview in out".split()
)
"""After a verb, these make it something else: `order_history` orders nothing, `check_out` looks nothing up."""

READS = frozenset(
    "get fetch retrieve read list show view find search lookup query browse describe count calculate compute check"
    " compare summarise summarize preview".split()
)
"""Verbs at the start of a name that promise to change nothing."""

MOVES_PAGE = frozenset("navigate redirect open go goto add remove update submit reset".split())
"""Verbs of a description that say that the page changes, whatever the name promises."""

USER_CONTENT = frozenset(
    "review comment message email mail post tweet thread reply feedback testimonial chat inbox forum".split()
)
"""Things that other people wrote: a tool that returns them returns text that nobody vouches for."""

PERSONAL = frozenset(
    "email phone telephone mobile address password passport card iban cvv cvc ssn birthday birthdate surname"
    " firstname lastname fullname".split()
)
"""Words in a parameter's name that stand for a person's data."""
