"""The parts of the dataset card that are the same in every release."""

METHOD = """\
Each target was opened once, in a browser context of its own, with WebMCP switched on; without a click, a scroll or a
login. When the page held still, two views were read at one moment: what each document lists (`getTools()`), and what
the browser offers an agent (the DevTools protocol's `WebMCP` domain). No tool was ever run. A page that could not be
read is not counted as a page without tools. Between real pages the crawler opens a page of its own that registers
nothing and must read zero; when it does not, the visits since the last good one are made again."""

READING = """\
`visit_id` joins the tables. Rows are sorted by `site`, and row groups have statistics, so asking for one site reads one
or two row groups. The first rows are therefore no sample: draw one at random. Null means not known or not applicable,
never zero."""

INTERVALS = """\
Intervals are Wilson's and treat pages as independent; pages of one project are alike, so the truth is less certain than
they say. `summary.json` has every number with the SQL over the tables that gives it; `webmcp-census release verify`
computes all of them again."""

LIMITS = """\
- It is a census of a list of targets, not a sample of the web: no rate stands for all websites.
- One visit, without a click or a login: tools that are registered later are missing, so counts are floors.
- One build of one engine, with the feature switched on. Whether a stock browser offers the tools is in `origin_trial`.
- It does not say how good a tool is. How often a model picks one is said only of the pages in `rates`.
- Texts were cut at stated limits (`cut`), and addresses and tokens in them were replaced by `[e-mail]` and `[secret]`:
  a text or a URL with such a mark is not what the page had."""

ETHICS = """\
The crawler obeys robots.txt and crawl delays, visits a site one page at a time, and names itself and a contact in its
user agent. Only what a page shows anybody is recorded: no form was filled in and nothing was sent. Please do not use
the data to contact or to single out persons."""

OPT_OUT = """\
Whoever runs a site can have it left out, by the contact in the crawler's user agent. It is then not visited again, and
a hotfix release (`YYYY.MM.N+1`) without it takes the place of this one. Targets of such sites have no row in any table;
only their number is published. Please use the newest hotfix of a month, and drop older copies."""
