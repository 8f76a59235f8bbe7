"""An endpoint that repeats a secret: everywhere in a response where one can stand."""

from urllib.parse import quote

from tests.endpoint.faults import (
    Fault,
    HttpReply,
    edit_choice,
    edit_entries,
    edit_field,
    label_spelled,
    redirect,
    refusal,
    reported_model,
    status,
)


def repeating(secret: str) -> dict[str, Fault]:
    """Return every way an endpoint may repeat a secret, by where it puts it."""
    page = f"<html><head><title>Bad key</title></head><body><p>Your key {secret} is wrong.</p></body></html>"
    header = secret.encode("ascii", "replace").decode()
    return {
        "error-400": status(400, f"Your key {secret} is not known here."),
        "error-401": status(401, f"Incorrect API key provided: {secret}"),
        "error-404-name": status(404, "not here", name=secret),
        "error-429": status(429, f"Rate limit reached for {secret}", headers={"Retry-After": "86400", "X-Key": header}),
        "error-500": status(500, f"Traceback: Authorization: Bearer {secret}"),
        "web-page-400": Fault(http=HttpReply(400, {"Content-Type": "text/html", "X-Key": header}, page.encode())),
        "web-page-200": Fault(http=HttpReply(200, {"Content-Type": "text/html"}, page.encode())),
        "redirect": redirect(f"http://elsewhere.invalid/v1?key={quote(secret, safe='%')}"),
        "status-line": Fault(http=HttpReply(418, {"X-Key": header, "Set-Cookie": f"key={header}"}, secret.encode())),
        "refusal": refusal(f"I will not judge for {secret}."),
        "reported-model": reported_model(f"scripted-{secret}"),
        "finish-reason": edit_choice(lambda choice: {**choice, "finish_reason": secret}),
        "rationale": edit_field(lambda text: f"{text} ({secret})", "rationale", "text"),
        "quote": edit_field(lambda _: secret, "quote", "source_quote"),
        "label": label_spelled(lambda _: secret),
        "id": edit_field(lambda _: secret, "id"),
        "field-name": edit_entries(lambda entries: [{**entry, secret: 1} for entry in entries]),
        "whole-text": Fault(text=lambda _: f"The key is {secret}."),
        "key-of-the-object": Fault(reply=lambda reply: {secret: list(reply.values())}),
    }
