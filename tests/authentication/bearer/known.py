"""A credential that everybody knows, and its verifier."""

from mymcp.authentication.bearer.credential import Credential
from mymcp.authentication.bearer.verifiers import Verifier, verifier_of

ID = "0123456789abcdef" * 2
SECRET = b"\x01" * 32
SECRET_TEXT = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"
DIGEST_TEXT = "cs1uhCLEB_ttCYaQ8RMLfe1-wvf14dML2dUh8BU2N5M"
TEXT = f"mymcp1.{ID}.{SECRET_TEXT}"
CREDENTIAL = Credential(ID, SECRET)
VERIFIER: Verifier = verifier_of(CREDENTIAL, "laptop")
