"""Words that limit what a sentence says; a proposition that loses one says something else."""

import re

_WORDS = {
    "negation": (
        r"(?<!\w)(?:not|no(?!\s?\.\s?\d)|never|none|nobody|nothing|nowhere|neither|nor|cannot|without|hardly|barely|lacks?|lacked|lacking"
        r"|impossible|unable|unavailable|(?<!\ba\s)few"
        r"|nicht|kein(?:e[rnms]?)?|niemals|ohne|pas|jamais|aucune?|sans|nunca|ningun[oa]?|ningún|sin|non|nessun[oa]?|senza|não|nem|nenhuma?|sem|niet|geen|nooit|zonder|nie|nigdy|bez|нет|не|без|никогда"
        r"|n(?:e\s|')(?:\w+\s){1,3}?(?:plus|rien|personne|guère)"
        r"|لا|لم|لن|ليس|ليست|غير|بدون|नहीं|बिना|मत)(?!\w)|n't\b|不|没|沒|未|无|無|ない|ません|なし|않|없"
    ),
    "exception": (
        r"(?<!\w)(?:except(?:ing|ion)?|excluding|excluded|apart\sfrom|aside\sfrom|other\sthan|unless|only|solely|exclusively|but\snot|save\sfor"
        r"|außer|ausgenommen|nur|sauf|excepté|seulement|excepto|salvo|solo|sólo|кроме|только|إلا|باستثناء|عدا|فقط|सिवाय|छोड़कर|केवल|सिर्फ)(?!\w)"
        r"|除了|除外|仅|只有|僅|以外|のみ|だけ|제외|(?<![\d지])만\b"
    ),
    "condition": (
        r"(?<!\w)(?:if|provided|as\slong\sas|in\scase|on\scondition|wenn|falls|sofern|à\scondition|pourvu|siempre\sque|если|إذا|بشرط|यदि|अगर)(?!\w)"
        r"|如果|若|只要|場合|なら|만약"
    ),
    "comparison": (
        r"(?<!\w)(?:than|at\s(?:least|most)|up\sto|no\s(?:more|less|fewer|later|earlier)|(?:more|less|fewer|greater|higher|lower)\b(?=\s\S+\sthan)"
        r"|minimum|maximum|twice|double[ds]?|triple[ds]?|times\sas|as\s(?!well\b)\w+\sas|exceed(?:s|ed|ing)?|most|the\s(?!rest\b|west\b|forest\b|guest\b|test\b|interest\b)\w{2,}est"
        r"|(?:\w{3,}er|mehr|weniger)\sals|mindestens|höchstens|doppelt|bis\szu|plus\s\w+\sque|moins|au\s(?:moins|plus)|más|menos|al\smenos|mayor|menor|более|менее|больше|меньше"
        r"|أكثر|أقل|أكبر|أصغر|ضعف|से\s(?:अधिक|ज़्यादा|कम)|सबसे|कम\sसे\sकम)(?!\w)"
        r"|超过|超過|多于|少于|至少|最多|以上|以下|未満|より|最も|最大|最小|두\s배|보다"
    ),
    "occasion": r"\b(?:when|whenever|where|wherever|wenn|quando|cuando|quand|lorsque)\b|时|時",
    "hedge": (
        r"(?<!\w)(?:(?:about|around)(?=\s(?:\d|[$€£]|a\s|half|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|noon|midnight))|approximately|roughly|nearly|almost|probably|possibly|perhaps|maybe|likely|reportedly|allegedly|estimated|presumably"
        r"|might|etwa|ungefähr|wahrscheinlich|vermutlich|environ|probablement|aproximadamente|probablemente|примерно|вероятно"
        r"|حوالي|تقريبا|ربما|लगभग|शायद|संभवतः)(?!\w)|约|大约|可能|約|おそらく|かもしれ|약\s|아마"
    ),
}
_PATTERNS = {kind: re.compile(words) for kind, words in _WORDS.items()}

# Pairs that deny nothing and except nothing.
_NOT_ONLY = re.compile(
    r"\b(?:not\sonly|not\sjust|not\smerely|nicht\snur|non\sseulement|pas\sseulement|no\ss[oó]lo|non\ssolo|não\ssó)\b|不仅|不但|不只"
)
_PORTUGUESE = re.compile(r"\b(?:não|é|em|uma|dos|das|fica|foi|são)\b")

KINDS = tuple(kind for kind in _WORDS if kind != "occasion")
"""What a qualifier can be."""

STANDS_FOR = {
    "exception": ("negation",),
    "condition": ("exception", "occasion"),
    "comparison": ("exception", "negation"),
}
"""Which other kinds can say the same as one in other words: `all but Mondays` is `not on Mondays`."""


def count_qualifiers(kind: str, shown: str) -> int:
    """Return how many qualifiers of a kind stand in a folded text."""
    counted = shown if kind not in ("negation", "exception") else _NOT_ONLY.sub(" ", shown)
    found = _PATTERNS[kind].findall(counted)
    # What is `no` to others is `in the` in Portuguese.
    return sum(word != "no" for word in found) if kind == "negation" and _PORTUGUESE.search(shown) else len(found)
