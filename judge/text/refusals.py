"""How texts say that they will not, may not, cannot or do not know, and what is said beside it without telling anything."""

import re

_HEDGE = r"(?:\s(?:simply|really|just|also|honestly|respectfully|am\safraid\si|regret\sthat\si))?"
_WONT = (
    r"(?:(?:can|could|am|are|will|would|may|must|shall|was|were)(?:\s?not\b|n't\b)"
    r"|cannot\b|can't\b|won't\b|'m\snot\b|(?:'m|\sam|\sare|was|were)\sunable\b|refuse\b|(?:must\s)?(?:respectfully\s)?decline\b)"
)
_DONT = r"(?:do|did)(?:\s?not\b|n't\b)"
_ACTS = (
    r"(?:know|knowledge|help|assist|answer|provide|fulfil+|comply|give|offer|write|generate|create|complete|produce|tell|say|"
    r"discuss|share|comment|support|promote|engage|endorse|encourage|condone|respond|guess|determine|confirm|find|predict|recommend|advise|suggest|"
    r"advice|guidance|information|access|able|appropriate|comfortable|certain|sure|programmed|participate|speculate|identify|make|express|do\s(?:that|this))"
)
# What `we do not` mostly tells of others is no refusal: `we do not offer refunds`.
_MINDS = (
    r"(?:know(?!\sof\sany\b)|have\s(?:\w+\s){0,3}?(?:information|knowledge|data|access|idea|answer|details?|records?)|understand|recall"
    r"|remember)"
)
_SOUGHT = (
    r"(?:that|this|it|the\sanswer|an\sanswer"
    r"|any(?:thing|\s(?:information|mention|evidence|record|details?|reference))|(?:\w+\s)?information)\b"
)
_DATA = r"(?:information|context|details?|data|evidence)"
_GIVEN = r"(?:context|documents?|notes|sources?|passages?|text|material|excerpts?|files|data|information)"
_PAPER = rf"(?:{_GIVEN}|article|report|records?)"
_TELLS = r"(?:say|state|mention|contain|include|provide|specify|give|tell|answer|indicate|cover)"
_ASKING = r"(?:who|what|when|where|why|how|which|whether|if)"

REFUSING = re.compile(
    rf"\bi{_HEDGE}\s?(?:{_WONT}|{_DONT})\s?(?:\w+\s){{0,5}}?(?!know\sof\sany\b){_ACTS}\b"
    rf"|\bwe{_HEDGE}\s?{_WONT}\s?(?:\w+\s){{0,5}}?{_ACTS}\b|\bwe\s{_DONT}\s(?:\w+\s){{0,2}}?{_MINDS}\b"
    rf"|\bwe\s(?:{_DONT}|could(?:\snot|n't))\sfind\s{_SOUGHT}"
    r"|\b(?:i|we)\s(?:have|found|possess)\s(?:no|not\sany|insufficient)\s(?:\w+\s){0,2}(?:information|knowledge|data|idea|record|figures?|way|access|clue|answer)"
    rf"|\bi\slack\s(?:\w+\s){{0,3}}{_DATA}\b|\b(?:i\sdunno|idk)\b|\bi\s(?:have\sto|must|will|need\sto|would)?\s?(?:\w+\s)?(?:decline|refuse)\b"
    r"|\bi(?:'d|\swould)\s(?:rather|prefer)\snot\b|\bbeyond\s(?:my|our)\s(?:knowledge|ability|abilities|expertise)\b"
    r"|\bmy\s(?:training\s)?(?:data|knowledge)\s(?:do(?:es)?(?:\snot|n't))\s(?:cover|include|contain|extend)\b"
    r"|\b(?:sorry|apologi[sz]e|afraid)\b[^.]{0,12}\b(?:but\s)?(?:i|we)\s?(?:can(?:not|'t)|am\s(?:not|unable)|'m\s(?:not|unable)|do\s?n[o']t|could\s?n[o']t|won't)"
    r"|\bunable\sto\s(?:answer|help|assist|provide|fulfil+|comply|find|determine)\b"
    r"|\bit\sis\snot\s(?:\w+\s)?(?:appropriate|ethical|acceptable)\s(?:for\sme\s)?(?:or\s\w+\s)?to\s"
    r"|\b(?:it\sis|it's)\s(?:not\spossible|impossible)\s(?:for\sme\s)?to\s(?:say|tell|know|determine|answer|establish|be\s(?:sure|certain))\b"
    rf"|\b(?:not|isn't|no)\s(?:enough|sufficient|any)?\s?(?:\w+\s)?information\b[^.]{{0,60}}\b(?:to\sanswer|available|given|provided|about|on)\b"
    rf"|^(?:there\s(?:is|was)\s)?(?:insufficient|not\senough|no)\s{_DATA}\b(?!\sin\smost)(?=\W*$|\s(?:to|about|on|for|is|was|available|provided|given)\b)"
    r"|^\W{0,3}(?:no\sidea|no\sclue|not\s(?:at\sall\s|really\s|\d+\s?%\s)?sure|n/?a|unsure|no\scomment|(?:can't|cannot|couldn't)\s(?:say|tell))\b(?=\W*$|[,;]|\s-\s|\s(?:who|what|when|where|why|how|about)\b)"
    r"|^(?:(?:this|that|it)(?:\s(?:information\s)?(?:is|was|has)|'s)\s?)?(?:unknown|unclear|(?:not|n't)\s(?:been\s)?(?:known|clear|stated|specified|mentioned|given|available|provided|recorded))\b"
    rf"|\b(?:(?:the|these|those|this|my)\s)?(?:(?:provided|given|supplied|available|above)\s)?{_GIVEN}\s(?:(?!of\b)\w+\s){{0,2}}?(?:do|does|did)(?:\snot|n't)\s{_TELLS}\b"
    rf"|\b(?:(?:provided|given|supplied|available|above|this)\s{_PAPER}|{_PAPER})\s(?:do|does|did)(?:\snot|n't)\s{_TELLS}\s{_ASKING}\b"
    rf"|\b(?:none|nothing|neither)\s(?:of|in)\s(?:the|these|those|my)\s(?:\w+\s)?{_PAPER}\s{_TELLS}s?\b"
    rf"|\b{_PAPER}\s(?:give|gives|gave|have|has|contain|contains|offer|offers|provide|provides)\sno\s(?:\w+\s)?(?:answer|{_DATA})\b"
    rf"|\b{_PAPER}\s(?:is|are)\ssilent\b"
    rf"|\b(?:answer|this|that|it|{_DATA})\s(?:is|was)(?:\snot|n't)\s(?:\w+\s)?(?:in|among|part\sof|found\sin|contained\sin)\s(?:the|my|any\sof\sthe)\s(?:\w+\s)?{_PAPER}\b"
    rf"|\b(?:they|it|he|she)\s(?:do|does|did)(?:\snot|n't)\s(?:say|state|mention|specify)\s{_ASKING}\b"
    r"|^there\s(?:is|was)\sno\s(?:mention|indication|record)\sof\b|\bcannot\sbe\s(?:determined|answered|established|found)\b"
    r"|\bgoes\sagainst\s(?:\w+\s){0,5}(?:policy|policies|guidelines|principles|programming|values)\b"
    # The same in a few other languages.
    r"|\bwei(?:ß|ss)\s(?:ich\s)?(?:es\s|das\s)?(?:leider\s)?nicht\b|\bkeine\s(?:angaben|informationen|auskunft|ahnung)\b|\bsteht\snicht\s(?:im|in)\b"
    r"|\bich\skann\b[^.,]{0,60}\bnicht\s(?:\w+\s)?(?:be|weiter)?(?:antworten|sagen|helfen|stätigen|urteilen|angeben|finden|feststellen|stimmen)\b"
    r"|\bno\s(?:lo\s)?s[eé]\b|\bno\stengo\s(?:\w+\s)?informaci|\bno\spuedo\s(?:responder|contestar|ayudar|decir|dar|proporcionar|confirmar|saber|encontrar)"
    r"|\bje\sne\s(?:sais|peux|dispose)|\bje\sn'ai\s(?:pas|aucune)\s(?:d'|de\s|\w+\s)?(?:information|idée|réponse)"
    r"|\bnon\s(?:lo\s)?so\b|\bnon\sposso\s(?:rispondere|aiutar|dir[el]|fornir|confermar)|\bn[aã]o\s(?:sei|posso\s(?:responder|ajudar|dizer|fornecer|confirmar))\b"
    r"|\bik\sweet\s(?:het|dat)?\s?niet\b|\bbilmiyorum\b|\bnie\swiem\b|(?:नहीं\s(?:पता|मालूम|जानत)|जानकारी\sनहीं)"
    r"|не\s(?:знаю|могу)|لا\s(?:أعرف|أعلم|أستطيع|يمكنني)|不知道|无法(?:回答|提供|确定)|不能(?:回答|提供)|わかりません|分かりません|お答えできません|모르겠|모릅니다"
)
"""What declines, in a folded sentence or a part of one."""

DISCLAIMING = re.compile(
    r"\b(?:personal|own|subjective|human|real-?time)\s(?:\w+\s(?:or|and)\s)?(?:opinions?|beliefs?|emotions?|preferences?|experiences?|feelings?|thoughts?|views?|access)"
    r"|\bhave\s(?:feelings|opinions|emotions|preferences)\b"
)
"""What a model says about itself before it answers all the same."""

COURTESY = re.compile(
    r"^(?:i'm\s|i\sam\s)?(?:very\s|so\s)?(?:sorry|apologi|thank|hello|hi\b|sure|of\scourse|unfortunately)[^.]{0,40}$|^as\san?\s(?:\w+\s){0,3}(?:ai|language\smodel|assistant)\b"
    r"|\bi\s(?:would\s|strongly\s|'d\s)?(?:recommend|suggest|encourage|advise|urge)\b"
    r"|\bif\syou\s(?:have|need|want|are|would|could|suspect|or)\b|\bhow\s(?:can|may)\si\s(?:help|assist)\b|\blet\sme\sknow\b|\bfeel\sfree\b"
    r"|\bmy\s(?:purpose|goal|programming|role|training|primary|main|responses)\b|\bi\s(?:am|'m)\s(?:here|designed|programmed|just|an?)\b|\bi\s(?:strive|aim|can\sonly)\b"
    r"|(?:^|\bplease\s|\bto\s|\bshould\s|\band\s|\bor\s|\bmust\s)(?:contact|consult|seek|reach\sout|call|speak\sto|talk\sto)\b|^please\b"
    r"|\bit(?:\sis|'s)\s(?:\w+\s)?(?:important|best|essential|crucial|necessary|better|recommended|advisable)\s(?:to|that\swe)\b"
    r"|\b(?:we|everyone|individuals|people)\s(?:should|must|deserves?|have\sthe\sright)\b"
    r"|\byou\s(?:can|could|may|might|should)\s(?:also\s|always\s)?(?:try|ask|talk|visit|call|speak|reach|check|contact|consult|seek)\b"
    r"|\bthere\sare\s(?:\w+\s){0,2}?(?:resources|professionals|organi[sz]ations|hotlines|helplines)\b"
)
"""What tells nothing: courtesy, advice, exhortation, and words of a model about itself."""

MORAL = re.compile(
    r"\b(?:is|it's)\s(?:\w+\s)?(?:important|best|essential|crucial|always|recommended|advisable|better|necessary)\b|\bplease\b|\b(?:instead|rather)\b"
    r"|\b(?:illegal|unethical|harmful|dangerous|inappropriate|disrespectful|offensive|not\s(?:appropriate|ethical|acceptable|safe))\b|\b(?:contact|consult|seek)\b"
    r"|\brespect\b"
)
"""What mostly goes with a refusal, and may as well be the answer: it tells nothing unless it gives a value, a name or what was asked."""

COMMITTING = re.compile(
    r"\b(?:i(?:\swould|'d)?\s(?:guess|suspect|think|believe|assume|presume|suppose)|my\s(?:best\s|own\s)?(?:guess|bet|estimate|hunch))\b"
    r"|\b(?:probably|perhaps|maybe|possibly|presumably|most\slikely|likely|apparently|approximately|roughly|(?:about|around)(?=\s\d))\b"
    r"|\b(?:it|he|she|they|this|that|there)\s(?:could|might|may|must|would|should|seems\sto|appears\sto)\s(?:well\s)?(?:be|have)\b"
    r"|^(?:the|my|its|his|her)\s(?:\w+\s)?(?:answer|year|date|day|name|value|number|amount|result|capital|author|founder|price|place)\s(?:is|was)\b|^here\s(?:is|are)\b"
)
"""What commits to an answer all the same, however carefully."""
