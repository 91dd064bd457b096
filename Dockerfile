# A worker with Debian's headless shell, whose build is pinned: all workers of a crawl must have the same one.
#   docker build --build-arg BROWSER=156.0.8078.114-1~deb12u1 --tag webmcp-census .
FROM python:3.11-slim-bookworm

# Empty takes the newest that Debian has; `webmcp-census doctor` says which one it is.
ARG BROWSER=""
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends "chromium-headless-shell${BROWSER:+=$BROWSER}" tini \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/webmcp-census
COPY requirements.lock ./
RUN pip install --quiet --no-cache-dir -r requirements.lock
COPY . ./
RUN pip install --quiet --no-cache-dir --no-deps .

# Not root: Chromium's sandbox is off for root.
RUN useradd --uid 10001 --create-home census
USER census
WORKDIR /home/census
ENTRYPOINT ["tini", "--", "webmcp-census"]
CMD ["--help"]
