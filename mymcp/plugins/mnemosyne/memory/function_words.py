"""Words that hold sentences together. A query is found by the others, if it has any.

Left out are those that mean something in another language: German `war`, Dutch `door`.
"""

from mymcp.plugins.mnemosyne.memory.folding import plain

_NEVER = (
    "a an and are do does for how i in is it of on or the to user what when where which who why"
)
_BY_LANGUAGE = {
    "en": (
        "about after all also am any as at be because been before being both but by can could did "
        "each else ever few from get gets getting go goes going got had has have having he her "
        "here hers him his how if into its just let like make makes many may me might mine more "
        "most much must my need needs no nor not now off once one only onto other our ours out "
        "over own please same shall she should since so some such than that their theirs them "
        "then there these they thing things this those through too under until up us use used "
        "uses using very via was we were what whats when where whether which while whom whose "
        "will with within without would you your yours tell kind users"
    ),
    "de": (
        "aber alle als am an auch auf aus bei beim bin bis da damit dann das dass dein dem den "
        "der des doch du durch ein eine einem einen einer eines er es für gibt haben hat hatte "
        "ich ihr im ist ja kann kein keine können man mein mich mir mit muss nach nicht noch nur "
        "ob oder ohne sein seine sich sie sind so soll über um und uns unser unter vom von vor "
        "wann warum was welche welcher welches wenn wer werden wie wieso wird wir wo womit zu zum "
        "zur"
    ),
    "fr": (
        "au aux avec ce ces cet cette comment dans de des dont du elle elles en est et être eu il "
        "ils je la le les leur lui ma mais mes mon ne nos notre nous où ou par pas pour pourquoi "
        "quand que quel quelle quelles quels qui quoi sa sans se ses si sont sous sur ta tes ton "
        "tu un une vient vos votre vous"
    ),
    "es": (
        "al algo antes como cómo con cuál cuáles cuándo cuánto cuánta cuántos cuántas de del "
        "donde dónde el ella ellos en entre es esta está estas este esto estos fue ha hay la las "
        "le les lo los más mi mis muy ni nos nuestro para pero por porque que qué quién se según "
        "ser si sobre son su sus también tiene tienen tu tus un una unas uno unos"
    ),
    "it": (
        "ai al alla alle anche che chi ci come con cosa cui da dal dalla degli dei del della "
        "delle di dopo dove è gli ha hanno il io la le lo loro ma mi mio nel nella non per perché "
        "più qual quale quali quando quanto questo se si sono su sua suo tra tu un una uno"
    ),
    "pt": (
        "ao aos as até com como da das de depois do dos é ela ele eles em entre essa esse esta "
        "este eu foi há isso isto já mas mais me meu minha na nas não nem no nos nós num numa "
        "onde os ou para pela pelo por porque qual quais quando quanto que quem são se sem ser "
        "seu sua tem têm um uma você"
    ),
    "nl": (
        "aan als bij dan dat de deze die dit een en er geen had heb hebben heeft het hij hoe ik "
        "in is je kan maar me meer met mij mijn moet naar niet nog nu of om onze ook te tot uit "
        "van veel voor waar waarom wanneer wat we welke wie wij worden wordt zal ze zich zij zijn "
        "zo zonder"
    ),
    "sv": (
        "att av blir de den det detta dig din du där efter eller en ett från för ha han har hon "
        "hur här i inte jag kan man med men mig min mot mycket nu när något och om oss på sig sin "
        "ska som så till under ut vad var varför vi vid vilka vilken är"
    ),
    "ru": (
        "без бы был была было были быть вам вас весь во вот все вы где да для до его ее если есть "
        "еще же за из или им их как какая какие какой когда который кто куда ли между мне может "
        "мой мы на над не нет но ну об он она они от очень по под почему при про сколько со так "
        "также там то только ты уже чего чем что чтобы эта эти это я"
    ),
    "pl": (
        "aby ale bo być by był było co czy dla do gdzie go ich jak jaki jakie jako jest już kiedy "
        "kto który które ma mi mnie na nie od oraz po pod przez przy są się ta tak te tego ten to "
        "tu w we z za ze że"
    ),
    "tr": (
        "ama bir bu çok da de daha değil gibi hangi her için ile kadar kim mi mı ne neden nedir "
        "nasıl nerede o ve veya ya"
    ),
    "uk": ("або але без бути від для до його коли на не про та це що щоб як який яка які де хто є"),
}
STOP_WORDS = frozenset(_NEVER.split())
"""Words that are never looked for."""
FUNCTION_WORDS = frozenset(
    plain(word) for listed in _BY_LANGUAGE.values() for word in listed.split()
)
"""In their plain forms."""
