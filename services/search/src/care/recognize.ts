import { foldWord } from '@lectern/words';

/**
 * What distresses a person. The patterns match folded text without apostrophes. They need words that
 * speak of a person's own life, because the Bible tells of death, wine and adultery too.
 */
const patterns = {
  SUICIDE:
    /suicid(?!io? de (judas|saul)|e of (judas|saul)|ed? judas)|kill(ing|ed)? (my|him|her)self|(take|taking|took) (my|his|her) own life|end(ing|ed|s)? (my|his|her) life|ending it all|end it all|(dont|do not|doesnt) want to (live|be alive)|\b(i|he|she) wants? to die\b|never wake up|better off without me|quit\w+ la vida|me quito la vida|no quier[oe] (vivir|seguir viviendo)|quiero (morir|matar)me|quiero morir$|no despertar|goodbye (letter|note)/,
  SELF_HARM:
    /self ?-?harm|(cut|cutting|hurt|hurting|harm|harming|burn|burning) (myself|her ?self|him ?self|my own body|my arms|my wrists)|stop cutting|urge to (cut|hurt)|scars on my|autolesi|\bme (corto|lastimo|quemo|golpeo la|hago dano|hago cortes)|(cortar|lastimar|quemar)me\b|se corta los brazos/,
  ABUSE:
    /abus(ive|er)\b|abused (me|her|him|as)|domestic violence|\braped\b|\bmolested\b|(husband|wife|father|dad|mom|mother|boyfriend|girlfriend|partner|step ?father|uncle) (hits|beats|hit|beat|touched|hurts|threatens|calls me|screams)|(scared|afraid) of my (husband|step ?father|father|dad|boyfriend|mother)|has bruises|maltrat|\bme (pega|golpea|insulta|humilla|amena[zs]a|tocaba|violo)\b|abusaron de|abuso sexual|violencia domestica/,
  GRIEF:
    /lost (my|our) (baby|babies|son|daughter|husband|wife|mother|father|mom|dad|child|brother|sister|grand\w+|friend)|passed away|miscarr|stillborn|(son|daughter|husband|wife|mother|father|mom|dad|brother|sister|friend) (just |was )?(died|killed in)|\bwife of \d+ years is gone|burying my|live without (him|her)\b|accept (hes|shes|that he|that she) (is )?(dead|gone)|grieving|(se murio|murio|fallecio) mi\b|perdi a (mi|un)|vivi\w* sin mi|se llevo a mi|desde el (entierro|funeral)|quedo viud/,
  LONELINESS:
    /\blonely|lonley|loneliness|(have|has) no friends|(nobody|no one) (calls|cares|loves|talks to) ?(me|about|$)|anyone care about me|know nobody|(always|being) left out|i feel (invisible|alone|forgotten)|feel invisible|everyone else (did|left)|(me siento|estoy) (muy |tan )?(sol[oa]|abandonad[oa])\b|nadie (me|se acuerda)|no tengo amig|hijos no me visitan|no conozco a nadie|todos me abandon/,
  ADDICTION:
    /addict|alcoholic|\brehab\b|relapsed|\b(stay|get|getting|day \d+|days) sober|heroin|cocain|vodka|\bgambl|casino|porno|masturbat|stop drinking|hide bottles|\badict|no puedo dejar de (tomar|beber|fumar)|dejar (la|las|el) (cocaina|drogas?|alcohol|bebida|vicio|pornografia)|apuestas/,
  INFIDELITY:
    /cheat(ed|ing|s) (on|spouse|husband|wife)|(an|the) affair\b|(dad|husband|wife|he|she) (was|is|has been) unfaith|caught my (fiance\w*|husband|wife|boyfriend|girlfriend)|betrayed by my (wife|husband)|ran off with another|\bme (engana|engano|traiciono|es infiel|fue infiel)\b|le fui infiel|infidelidad de mi|(puso|ponen) los cuernos|tiene otra familia|tiene (una|un) amante/,
  JOB_LOSS:
    /lost (my|his|her) job|unemploy|laid off|(got|was|been) (fired|sacked)|will hire me|rejection letter|boss let me go|out of a job|find a job|me despidieron|despidieron del|(meses|anos|quede|quedo) sin (trabajo|empleo)|desemplead|no encuentro (trabajo|chamba|empleo)|perdi (mi|el) (trabajo|empleo)|(echaron|corrieron) (a todos|del trabajo)/,
} as const satisfies Record<string, RegExp>;

export type Distress = keyof typeof patterns;

/** Returns what distresses the person who asks, or null. Knows English and Spanish words. */
export function recognizeDistress(query: string): Distress | null {
  const folded = foldWord(query).replaceAll(/['’]/g, '').replaceAll(/\s+/g, ' ').trim();
  const found = Object.entries(patterns).find(([, pattern]) => pattern.test(folded));
  return found ? (found[0] as Distress) : null;
}
