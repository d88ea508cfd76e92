import { useStarted } from '@lectern/testing';
import { openSearchClient } from '../../test-support/search-client';

const client = useStarted(openSearchClient);

/**
 * Queries as people remember verses: without some words, accents and capitals, or with another form
 * of a word. Each has the reference of the expected verse.
 */
const rememberedVerses: readonly (readonly [translation: string, query: string, reference: string])[] = [
  ['eng-kjv', 'lord is my shepherd', 'Psalms 23:1'],
  ['eng-kjv', 'in the beginning god', 'Genesis 1:1'],
  ['eng-kjv', 'god so loved world', 'John 3:16'],
  ['eng-kjv', 'jesus wept', 'John 11:35'],
  ['eng-kjv', 'faith hope charity these three', '1 Corinthians 13:13'],
  ['eng-kjv', 'let there be light', 'Genesis 1:3'],
  ['eng-kjv', 'am i my brothers keeper', 'Genesis 4:9'],
  ['eng-kjv', 'thou shalt not kill', 'Exodus 20:13'],
  ['eng-kjv', 'valley of shadow of death fear no evil', 'Psalms 23:4'],
  ['eng-kjv', 'vanity of vanities all is vanity', 'Ecclesiastes 1:2'],
  ['eng-kjv', 'wages of sin is death', 'Romans 6:23'],
  ['eng-kjv', 'blessed are the meek', 'Matthew 5:5'],
  ['eng-kjv', 'seek ye first kingdom', 'Matthew 6:33'],
  ['eng-kjv', 'in the beginning was the word', 'John 1:1'],
  ['eng-kjv', 'trust in the lord with all thine heart', 'Proverbs 3:5'],
  ['eng-kjv', 'i can do all things through christ', 'Philippians 4:13'],
  ['eng-kjv', 'swords into plowshares', 'Isaiah 2:4'],
  ['eng-kjv', 'unto us a child is born', 'Isaiah 9:6'],
  ['eng-kjv', 'they that wait upon the lord renew strength', 'Isaiah 40:31'],
  ['eng-kjv', 'my god why hast thou forsaken me', 'Psalms 22:1'],
  ['eng-kjv', 'ask and it shall be given', 'Matthew 7:7'],
  ['eng-kjv', 'i am the way truth life', 'John 14:6'],
  ['eng-kjv', 'king of kings and lord of lords', 'Revelation 19:16'],
  ['eng-kjv', 'substance of things hoped for', 'Hebrews 11:1'],
  ['eng-kjv', 'time to be born time to die', 'Ecclesiastes 3:2'],
  ['eng-web', 'yahweh is my shepherd', 'Psalms 23:1'],
  ['eng-web', 'love is patient kind', '1 Corinthians 13:4'],
  ['eng-web', 'be still and know', 'Psalms 46:10'],
  ['eng-web', 'all have sinned fall short', 'Romans 3:23'],
  ['eng-web', 'fruit of the spirit is love', 'Galatians 5:22'],
  ['eng-web', 'armor of god', 'Ephesians 6:11'],
  ['eng-web', 'the truth will make you free', 'John 8:32'],
  ['eng-web', 'anxious for tomorrow', 'Matthew 6:34'],
  ['eng-web', 'behold i stand at the door and knock', 'Revelation 3:20'],
  ['eng-web', 'all things work together for good', 'Romans 8:28'],
  ['eng-web', 'lamp to my feet', 'Psalms 119:105'],
  ['eng-web', 'iron sharpens iron', 'Proverbs 27:17'],
  ['eng-web', 'i am bread of life', 'John 6:48'],
  ['eng-web', "father forgive them they don't know", 'Luke 23:34'],
  ['eng-web', 'by grace you have been saved through faith', 'Ephesians 2:8'],
  ['spa-rv1909', 'en el principio era el Verbo', 'Juan 1:1'],
  ['spa-rv1909', 'en el principio crio dios', 'Génesis 1:1'],
  ['spa-rv1909', 'jehova es mi pastor', 'Salmos 23:1'],
  ['spa-rv1909', 'de tal manera amo dios al mundo', 'Juan 3:16'],
  ['spa-rv1909', 'bienaventurados los mansos', 'Mateo 5:5'],
  ['spa-rv1909', 'yo soy el camino la verdad', 'Juan 14:6'],
  ['spa-rv1909', 'todo lo puedo en cristo', 'Filipenses 4:13'],
  ['spa-rv1909', 'vanidad de vanidades todo vanidad', 'Eclesiastés 1:2'],
  ['spa-rv1909', 'la paga del pecado es muerte', 'Romanos 6:23'],
  ['spa-rv1909', 'no mataras', 'Éxodo 20:13'],
  ['spa-rv1909', 'padre nuestro que estas en los cielos', 'Mateo 6:9'],
  ['spa-rv1909', 'lloro jesus', 'Juan 11:35'],
  ['spa-rv1909', 'sea la luz', 'Génesis 1:3'],
  ['spa-rv1909', 'la fe es la sustancia de las cosas', 'Hebreos 11:1'],
  ['spa-rv1909', 'ahora permanecen fe esperanza caridad', '1 Corintios 13:13'],
  ['spa-rv1909', 'pedid y se os dara', 'Mateo 7:7'],
  ['spa-rv1909', 'conocereis la verdad os libertara', 'Juan 8:32'],
  ['spa-rv1909', 'lampara es a mis pies tu palabra', 'Salmos 119:105'],
  ['spa-rv1909', 'valle de sombra de muerte', 'Salmos 23:4'],
  ['spa-rv1909', 'fiate de jehova de todo tu corazon', 'Proverbios 3:5'],
  ['spa-rv1909', 'raiz de todos los males amor del dinero', '1 Timoteo 6:10'],
];

test.each(rememberedVerses)(
  'full-text search in %s for the half-remembered verse %p returns %s first',
  async (translation, query, reference) => {
    const [first] = await client.search(query, { translation, limit: 1 });
    expect(first?.reference).toBe(reference);
  },
);

/**
 * Queries whose words stand close together in several verses, with the references of these verses.
 */
const parallelVerses: readonly (readonly [translation: string, query: string, references: readonly string[]])[] = [
  ['eng-kjv', 'camel through eye of needle rich man', ['Matthew 19:24', 'Mark 10:25', 'Luke 18:25']],
  ['eng-kjv', 'get thee behind me satan', ['Matthew 16:23', 'Mark 8:33', 'Luke 4:8']],
  ['eng-web', 'light of the world', ['Matthew 5:14', 'John 8:12', 'John 9:5']],
  ['eng-web', 'let my people go that they may serve me', ['Exodus 8:1', 'Exodus 9:1', 'Exodus 10:3']],
  ['spa-rv1909', 'dejad los ninos venir', ['Marcos 10:14', 'Lucas 18:16', 'Mateo 19:14']],
  ['spa-rv1909', 'dios es amor', ['1 Juan 4:8', '1 Juan 4:16']],
];

test.each(parallelVerses)(
  'full-text search in %s for %p returns the verses %j among the first six',
  async (translation, query, references) => {
    const found = await client.search(query, { translation, limit: 6 });
    expect(found.map(({ reference }) => reference)).toEqual(expect.arrayContaining([...references]));
  },
);
