"""Whether a statement can be judged alone: what it opens with, and whether it asserts more than one thing."""

import re

from judge.text.normalise import folded
from judge.text.sentences import sentences

_PRONOUN = re.compile(
    r"(?:(?:he|she|it|they|this|that|these|those|his|her|hers|its|their|theirs"
    r"|sie|dies(?:e[rsmn]?)?|elle|ils|elles|cel(?:a|ui|le)|ce(?:t|tte|s)?|él|ella|ellos|ellas|est[eao]s?|lui|lei|loro|ele|ela|eles|elas"
    r"|он|она|оно|они|это|эт[аио]т?|هو|هي|هم|هن|هذا|هذه|ذلك|تلك|वह|वे|यह|ये|उसने|उसका|उसकी|उसके|इसका|इसकी|इसके|उन्होंने)(?!\w)"
    # Words that other languages write alike are pronouns only before a verb of their own language.
    r"|(?:er|es)\s(?:ist|war|wurde|wird|hat|hatte|liegt|lag|steht|stand|kann|konnte|soll|muss|darf|ging|kam|starb|lebte)\b"
    r"|il\s(?:est|était|fut|sera|a|avait|s'|n'|se\s|ne\s)"
    r"|他|她|它|这|那(?!不勒斯)|這|其(?:中)?(?!他|它)|彼(?!得|岸)|それ(?!ぞれ)|これ|その|この|그(?:는|녀|것|들)|이(?:것|는)\s)"
)
_CAPITALS = re.compile(r"\W*[A-Z]{2,}\b")
# Pronouns that stand for nothing: `it is forbidden to smoke`, `es gibt`.
_EXPLETIVE = re.compile(
    r"it(?:\s(?:is|was|will\sbe|has\sbeen)|'s)\s(?:\w+\s){1,3}?(?:to|that|whether|who)\b|it\s(?:rain|snow|take)(?:s|ed)?\b|it\stook\b"
    r"|es\s(?:gibt|gab|ist\s\w+,)|il\s(?:y\sa|faut|pleut|est\s\w+\s(?:de|que))\b"
)

_FINITE = (
    r"(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|shall|should|does|do|did|also|then|later|never"
    r"|kept|sold|went|came|took|made|gave|left|lost|won|built|bought|brought|began|became|wrote|ran|rose|fell|held|led|met|paid|sent|spent"
    r"|taught|told|found|got|grew|knew|drew|flew|broke|chose|drove|spoke|stole|wore|put|set|cut|hit|said|saw|stood|understood|lay|sank|swam"
    r"|opens|closes|costs|starts|ends|contains|includes|weighs|runs|leaves|arrives|lives|works|keeps|holds|covers|needs|requires|serves|offers"
    r"|remains|becomes|begins|stops|allows|forbids|provides|supports|uses|makes|takes|gives|goes|comes|pays|measures|carries|applies"
    r"|(?!need|seed|weed|shed|sled|speed|breed|feed|hundred|indeed|steed|reed)[a-z]{2,}ed)\b"
)
_JOINED = re.compile(
    r"[;；]\s?(?=\w)"
    rf"|\b(?:and|but)\s(?:(?:then|also|later|now|still|not|soon)\s)?{_FINITE}"
    r"|\b(?:and|but|while|whereas|although|though)\s(?:he|she|it|they|we|this|that|these|there)\s"
    rf"|,\s(?:and|but|while|whereas|although|though|so)\s(?:the|a|an|its|his|her|their|each|all|no)\s(?:\w+\s){{1,4}}?{_FINITE}"
    r"|,\s(?:which|who|whose|where)\s|\bas\swell\sas\b"
    r"|\b(?:und|aber)\s(?:er|sie|es|wurde|wurden|war|waren|ist|sind|hat|haben|wird)\b|,\s(?:der|die|das)\s[^,.]{3,60}\b(?:ist|war|hat|wurde)\b"
    r"|\bet\s(?:a|est|fut|était|sont|ont|il|elle)\s|\by\s(?:fue|es|tiene|era|ha|son)\s|[,，](?:并|而|但|且|同时|也)"
)
# Where a second clause with a subject of its own begins, or a second statement after a semicolon.
_SEAM = re.compile(
    rf"[;；]\s+(?=\w)|,?\s(?:and|but|while|whereas|although|though)\s(?=(?:he|she|it|they|we|this|these|there)\s(?:\w+\s){{0,2}}?{_FINITE})"
    rf"|,\s(?:and|but|while|whereas|although|though)\s(?=(?:the|a|an|its|his|her|their|each|all|no)\s(?:\w+\s){{1,4}}?{_FINITE})",
    re.IGNORECASE,
)
# Within a condition, a choice or a span, `and` joins no assertions.
_BOUND = re.compile(r"\b(?:if|when|whenever|unless|once|after|before|between|either|whether|until|wenn|falls|si|quand|cuando)\b")


# What a sentence opens with may hold for all of its clauses.
_LEADING = re.compile(r"(?:in|on|at|during|since|from|by|for|under|with|within|according|despite|unlike|as)\s")


_VERB = re.compile(rf"\b{_FINITE}")
# What follows is said, believed or denied by somebody, and no assertion of its own.
_WITHIN = re.compile(r"\bthat\b|\b(?:say|said|says|claim|claims|claimed|believe[sd]?|den(?:y|ies|ied)|think|thinks|thought)\b|&\w*$")


def split_assertions(sentence: str) -> list[str]:
    """Return the parts of a sentence that assert something each, as exact spans; the whole where it shows no clear seam.

    Both sides of a seam have a verb, no bracket, quotation or code is cut, and nothing before it governs what follows.
    """
    shown = folded(sentence)
    if _BOUND.search(shown) or _LEADING.match(shown):
        return [sentence]
    parts: list[str] = []
    start = 0
    for seam in _SEAM.finditer(sentence):
        before, after = sentence[start : seam.start()], sentence[seam.end() :]
        if _is_whole(before) and _VERB.search(folded(before)) and _VERB.search(folded(after)) and not _WITHIN.search(folded(before)):
            parts.append(before.strip())
            start = seam.end()
    return [*parts, sentence[start:].strip()]


def _is_whole(text: str) -> bool:
    """Return whether no bracket, quotation or code is open at the end of the text."""
    return all(text.count(left) == text.count(right) for left, right in ("()", "[]", "{}", "“”", "«»")) and not any(
        text.count(mark) % 2 for mark in '"`'
    )


def opens_with_pronoun(statement: str) -> bool:
    """Return whether the statement begins with a word that only another sentence explains (`she`, `this`, `它`)."""
    if _CAPITALS.match(statement):
        return False
    shown = folded(statement).lstrip("\"'([-– ")
    return _PRONOUN.match(shown) is not None and _EXPLETIVE.match(shown) is None


def joins_assertions(statement: str) -> bool:
    """Return whether the statement seems to assert two things: two sentences, or clauses joined into one.

    A rule of thumb on words: joined nouns and irregular verbs pass unnoticed, and no parse is made.
    """
    _, *later = sentences(statement) or [""]
    # What goes on in lower case or with a figure follows an abbreviation.
    if any(not (part[0].islower() or part[0].isdigit()) for part in later):
        return True
    shown = folded(statement)
    found = _JOINED.search(shown)
    return found is not None and _BOUND.search(shown, 0, found.start()) is None
