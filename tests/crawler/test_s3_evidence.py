"""Evidence against a real S3 server: saved whole or not acknowledged, read back or refused, and no key is ever said."""

import gzip
import hashlib
from datetime import UTC, datetime

import pytest

from census.errors import CensusError
from census.run import EvidenceStore
from census.target import Target
from census.visit import Visit
from census.vocabulary import Outcome
from crawler import s3_evidence
from crawler.evidence import open_evidence
from crawler.s3_evidence import S3Evidence
from tests.crawler.s3_server import ACCESS_KEY, SECRET_KEY

VISIT = Visit(
    visit_id="run-1-1", target=Target(url="https://a.org/"), attempt=1, visited_at=datetime(2026, 11, 30, tzinfo=UTC),
    browser=None, outcome=Outcome.DNS_ERROR,
)  # fmt: skip


def test_a_record_is_an_object_named_by_its_digest_and_the_same_one_that_a_folder_holds(s3, tmp_path):
    bucket = s3.bucket()
    digest = open_evidence(f"s3://{bucket}/census/2026.11").save(VISIT)
    name = f"census/2026.11/{digest[:2]}/{digest}.json.gz"
    assert s3.keys(bucket) == [name]
    stored = s3.client().get_object(Bucket=bucket, Key=name)["Body"].read()
    assert hashlib.sha256(gzip.decompress(stored)).hexdigest() == digest
    assert Visit.model_validate_json(gzip.decompress(stored)) == VISIT
    folder = EvidenceStore(tmp_path)
    assert folder.save(VISIT) == digest
    assert folder.packed(digest) == stored


def test_a_record_that_is_saved_twice_is_there_once(s3):
    bucket = s3.bucket()
    evidence = open_evidence(f"s3://{bucket}")
    digest = evidence.save(VISIT)
    assert evidence.save(VISIT) == digest
    assert s3.keys(bucket) == [f"{digest[:2]}/{digest}.json.gz"]


def test_a_record_that_is_not_what_its_name_says_is_refused(s3):
    bucket = s3.bucket()
    evidence = open_evidence(f"s3://{bucket}")
    digest = evidence.save(VISIT)
    s3.client().put_object(Bucket=bucket, Key=f"{digest[:2]}/{digest}.json.gz", Body=gzip.compress(b"{}"))
    with pytest.raises(CensusError, match="does not have the digest in its name"):
        evidence.packed(digest)
    s3.client().put_object(Bucket=bucket, Key=f"{digest[:2]}/{digest}.json.gz", Body=b"no gzip")
    with pytest.raises(CensusError, match="cannot be read"):
        evidence.packed(digest)


def test_a_record_that_is_missing_is_refused(s3):
    with pytest.raises(CensusError, match=r"ab/abc.json.gz cannot be read: .*restore it"):
        open_evidence(f"s3://{s3.bucket()}").packed("abc")


def test_a_bucket_that_is_not_there_is_said_at_once(s3):
    with pytest.raises(CensusError, match="evidence cannot go to s3://no-such-bucket"):
        open_evidence("s3://no-such-bucket/x")


def test_a_store_that_goes_away_is_an_error_not_a_saved_record(s3, monkeypatch):
    monkeypatch.setattr(s3_evidence, "_ATTEMPTS", 2)
    evidence = S3Evidence(s3.bucket(), "")
    evidence._client.meta.events.register("before-send.s3.PutObject", _refused)
    with pytest.raises(CensusError, match="evidence cannot be written to s3://"):
        evidence.save(VISIT)


def _refused(**_: object) -> None:
    from botocore.exceptions import EndpointConnectionError

    raise EndpointConnectionError(endpoint_url="http://127.0.0.1:1")


def test_a_wrong_key_is_refused_without_saying_it(s3, monkeypatch):
    bucket = s3.bucket()
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wr0ng-" + SECRET_KEY)
    with pytest.raises(CensusError) as refused:
        open_evidence(f"s3://{bucket}")
    assert "403" in str(refused.value)
    assert SECRET_KEY not in str(refused.value)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (f"s3://{ACCESS_KEY}:{SECRET_KEY}@bucket/x", "keys come from AWS_ACCESS_KEY_ID"),
        ("s3://", "write s3://BUCKET/PREFIX"),
        (f"s3://bucket/x?key={SECRET_KEY}", "write s3://BUCKET/PREFIX"),
        ("gs://bucket", "evidence goes to a folder or to s3://"),
    ],
)
def test_a_place_that_cannot_be_one_is_refused_without_repeating_a_key(place, said):
    with pytest.raises(CensusError) as refused:
        open_evidence(place)
    assert said in str(refused.value)
    assert SECRET_KEY not in str(refused.value)
