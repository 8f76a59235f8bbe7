"""English verbs whose past has another stem than their present."""

_FORMS = """
arise arose arisen; awake awoke awoken; bear bore born borne; beat beaten; become became; begin began begun; bend bent; bind bound;
bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt; buy bought;
catch caught; choose chose chosen; cling clung; come came; creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank
drunk; drive drove driven; dwell dwelt; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled;
fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten;
give gave given; go went gone; grind ground; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept; know knew known;
lead led; lean leant; learn learnt; leave left; lend lent; lose lost; make made; mean meant; meet met; pay paid; ride rode ridden;
ring rang rung; rise rose risen; run ran; see saw seen; seek sought; sell sold; send sent; shake shook shaken; shine shone; shoot shot;
show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; speak spoke spoken; spell spelt;
spend spent; spin spun; stand stood; steal stole stolen; stick stuck; strike struck stricken; strive strove striven; swear swore sworn;
sweep swept; swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
understand understood; undertake undertook undertaken; wake woke woken; wear wore worn; weave wove woven; weep wept; win won;
withdraw withdrew withdrawn; write wrote written
"""

PRESENT: dict[str, str] = {past: present for present, *forms in (line.split() for line in _FORMS.split(";")) for past in forms}
"""Past forms to the present; verbs whose past may be another verb's present (`lay`, `wound`) are left out."""
