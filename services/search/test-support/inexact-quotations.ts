/**
 * A quotation with errors, as a person remembers a verse, and the references of the expected
 * verses.
 */
export interface InexactQuotation {
  readonly translation: string;
  readonly query: string;
  readonly references: readonly string[];
}

type Row = readonly [query: string, references: string];

const quotations = (translation: string, rows: readonly Row[]): InexactQuotation[] =>
  rows.map(([query, references]) => ({ translation, query, references: references.split(' / ') }));

/** Quotations in the wording of another translation. */
export const otherWording: readonly InexactQuotation[] = [
  ...quotations('eng-web', [
    ['the lord is my shepherd', 'Psalms 23:1'],
    ['the truth will set you free', 'John 8:32'],
    ['eye of a needle', 'Matthew 19:24 / Mark 10:25 / Luke 18:25'],
    ['he gave his only begotten son', 'John 3:16'],
    ['faith is the substance of things hoped for', 'Hebrews 11:1'],
    ['valley of the shadow of death fear no evil', 'Psalms 23:4'],
    ['suffer the little children to come unto me', 'Matthew 19:14 / Mark 10:14 / Luke 18:16'],
    ['get thee behind me satan', 'Matthew 16:23 / Mark 8:33 / Luke 4:8'],
    ['ye are the salt of the earth', 'Matthew 5:13'],
    ['seek ye first the kingdom of god', 'Matthew 6:33 / Luke 12:31'],
    ['peacemakers called the children of god', 'Matthew 5:9'],
    ['pride goeth before destruction', 'Proverbs 16:18'],
    ['a soft answer turneth away wrath', 'Proverbs 15:1'],
    ['the lord giveth and hath taken away', 'Job 1:21'],
    ['vanity of vanities saith the preacher', 'Ecclesiastes 1:2 / Ecclesiastes 12:8'],
    ['thy word is a lamp unto my feet', 'Psalms 119:105'],
    ['fear of the lord is the beginning of wisdom', 'Psalms 111:10 / Proverbs 9:10'],
    ['thy creator in the days of thy youth', 'Ecclesiastes 12:1'],
    ['beat their swords into plowshares', 'Isaiah 2:4 / Micah 4:3'],
    ['mount up with wings as eagles', 'Isaiah 40:31'],
    ['we all like sheep have gone astray', 'Isaiah 53:6'],
    ['let not your heart be troubled', 'John 14:1 / John 14:27'],
    ["in my father's house are many mansions", 'John 14:2'],
    ['greater love hath no man than this', 'John 15:13'],
    ['o death where is thy sting', '1 Corinthians 15:55'],
    ['charity suffereth long and is kind', '1 Corinthians 13:4'],
    ['greatest of these is charity', '1 Corinthians 13:13'],
    ['be not conformed to this world', 'Romans 12:2'],
    ['perfect love casteth out fear', '1 John 4:18'],
    ['wise as serpents and harmless as doves', 'Matthew 10:16'],
  ]),
  ...quotations('eng-kjv', [
    ['love is patient love is kind', '1 Corinthians 13:4'],
    ['you shall not steal', 'Exodus 20:15 / Leviticus 19:11 / Deuteronomy 5:19'],
    ['do not let your hearts be troubled', 'John 14:1 / John 14:27'],
    ['my grace is sufficient for you', '2 Corinthians 12:9'],
    ['where two or three gather in my name', 'Matthew 18:20'],
    ['all have sinned and fall short', 'Romans 3:23'],
    ['the word became flesh and dwelt among us', 'John 1:14'],
    ['yahweh is my shepherd', 'Psalms 23:1'],
    ['give us today our daily bread', 'Matthew 6:11 / Luke 11:3'],
    ['no one can serve two masters', 'Matthew 6:24 / Luke 16:13'],
    ["bear one another's burdens", 'Galatians 6:2'],
    ['husbands love your wives', 'Ephesians 5:25 / Colossians 3:19'],
    ['everyone who calls on the name of the lord', 'Romans 10:13 / Joel 2:32 / Acts 2:21'],
    [
      'your sins are forgiven',
      'Luke 7:48 / Luke 5:20 / Luke 5:23 / Matthew 9:2 / Matthew 9:5 / Mark 2:5 / Mark 2:9 / 1 John 2:12',
    ],
    ['the lord will fight for you', 'Exodus 14:14 / Deuteronomy 3:22 / Deuteronomy 1:30'],
  ]),
  ...quotations('spa-rv1909', [
    ['el señor es mi pastor', 'Salmos 23:1'],
    ['la verdad os hará libres', 'Juan 8:32'],
    ['no temas porque yo estoy contigo', 'Isaías 41:10 / Isaías 43:5 / Génesis 26:24'],
    ['dio a su único hijo', 'Juan 3:16'],
    ['la paga del pecado es la muerte', 'Romanos 6:23'],
    ['el amor es sufrido es benigno', '1 Corintios 13:4'],
    ['yo soy la resurrección', 'Juan 11:25'],
    ['en el principio creó dios', 'Génesis 1:1'],
    ['buscad primero el reino de dios', 'Mateo 6:33'],
    ['el señor es mi luz y mi salvación', 'Salmos 27:1'],
    ['el gozo del señor es nuestra fortaleza', 'Nehemías 8:10'],
    ['clama a mí y te responderé', 'Jeremías 33:3'],
    ['el mayor de ellos es el amor', '1 Corintios 13:13'],
    ['venid a mí los trabajados y cansados', 'Mateo 11:28'],
    ['tuyo es el reino el poder y la gloria', 'Mateo 6:13'],
  ]),
];

/** Quotations with one misspelt word. */
export const withTypo: readonly InexactQuotation[] = [
  ...quotations('eng-kjv', [
    ['faith is the substanse of things hoped for', 'Hebrews 11:1'],
    ['blesed are the poor in spirit', 'Matthew 5:3'],
    ['the wagse of sin is death', 'Romans 6:23'],
    ['beleive on the lord jesus christ', 'Acts 16:31'],
    ['i am the ressurection and the life', 'John 11:25'],
    ['trust in the lord with all thine haert', 'Proverbs 3:5'],
    ['swords into plowshears', 'Isaiah 2:4 / Micah 4:3 / Joel 3:10'],
    ['a table before me in the presance of mine enemies', 'Psalms 23:5'],
    ['the heavens declare the glroy of god', 'Psalms 19:1'],
    ['be stil and know that i am god', 'Psalms 46:10'],
  ]),
  ...quotations('eng-web', [
    ['in the begining god created the heavens', 'Genesis 1:1'],
    ['jesus chirst is the same yesterday today', 'Hebrews 13:8'],
    ['fruit of the spirit is love joy paece', 'Galatians 5:22'],
    ['put on the whole armour of god', 'Ephesians 6:11 / Ephesians 6:13'],
    ['by grace you have been saved throguh faith', 'Ephesians 2:8'],
    ['i stand at the door and nock', 'Revelation 3:20'],
    ['let ther be light', 'Genesis 1:3'],
    [
      'love your nieghbor as yourself',
      'Leviticus 19:18 / Matthew 22:39 / Matthew 19:19 / Mark 12:31 / Galatians 5:14 / James 2:8',
    ],
    ['god is our refuge and strenght', 'Psalms 46:1'],
    ['ask and it wil be given', 'Matthew 7:7 / Luke 11:9'],
  ]),
  ...quotations('spa-rv1909', [
    ['en el principio era el berbo', 'Juan 1:1'],
    ['bienabenturados los pobres en espíritu', 'Mateo 5:3'],
    ['yo soy el camino la berdad y la vida', 'Juan 14:6'],
    ['padre nuestro que estas en los sielos', 'Mateo 6:9 / Lucas 11:2'],
    ['aunque ande en balle de sombra de muerte', 'Salmos 23:4'],
    ['no con solo el pan vivira el honbre', 'Mateo 4:4 / Lucas 4:4 / Deuteronomio 8:3'],
    [
      'amaras a tu progimo como a ti mismo',
      'Levítico 19:18 / Mateo 22:39 / Mateo 19:19 / Marcos 12:31 / Gálatas 5:14 / Santiago 2:8 / Romanos 13:9',
    ],
    ['el fruto del espiritu es caridad goso paz', 'Gálatas 5:22'],
    ['pedid y se os dara buscad y hayareis', 'Mateo 7:7 / Lucas 11:9'],
    ['la fe sin hobras es muerta', 'Santiago 2:20 / Santiago 2:26 / Santiago 2:17'],
  ]),
];

/** Quotations with words left out or in another order. */
export const otherOrder: readonly InexactQuotation[] = [
  ...quotations('eng-kjv', [
    ['shepherd lord shall not want', 'Psalms 23:1'],
    ['light world salt earth', 'Matthew 5:13 / Matthew 5:14'],
    ['camel needle rich', 'Matthew 19:24 / Mark 10:25 / Luke 18:25'],
    ['naked came i out of the womb', 'Job 1:21'],
    ['dust thou art', 'Genesis 3:19'],
    ['forgive them they know not', 'Luke 23:34'],
    ['lambs in the midst of wolves', 'Luke 10:3'],
    ['house divided against itself', 'Matthew 12:25 / Mark 3:25 / Luke 11:17'],
    ['first stone without sin', 'John 8:7'],
    ['many called few chosen', 'Matthew 22:14 / Matthew 20:16'],
  ]),
  ...quotations('eng-web', [
    ["the lord's prayer our father in heaven", 'Matthew 6:9 / Luke 11:2'],
    ['everything a season under heaven', 'Ecclesiastes 3:1'],
    ['eagles wings run not weary', 'Isaiah 40:31'],
    ['child is born son is given', 'Isaiah 9:6'],
    ['spirit willing flesh weak', 'Matthew 26:41 / Mark 14:38'],
    ['root of all evil money', '1 Timothy 6:10'],
    ['alpha omega', 'Revelation 1:8 / Revelation 21:6 / Revelation 22:13'],
    ['vine branches', 'John 15:5'],
    ["caesar's things to caesar", 'Matthew 22:21 / Mark 12:17 / Luke 20:25'],
    ['wept jesus', 'John 11:35'],
  ]),
  ...quotations('spa-rv1909', [
    ['pastor jehova nada faltara', 'Salmos 23:1'],
    ['camello ojo aguja rico', 'Mateo 19:24 / Marcos 10:25 / Lucas 18:25'],
    ['polvo eres', 'Génesis 3:19'],
    ['perdonalos no saben lo que hacen', 'Lucas 23:34'],
    ['muchos llamados pocos escogidos', 'Mateo 22:14 / Mateo 20:16'],
    ['espiritu presto carne enferma', 'Mateo 26:41 / Marcos 14:38'],
    ['luz del mundo', 'Juan 8:12 / Mateo 5:14 / Juan 9:5'],
    ['niño nos es nacido', 'Isaías 9:6'],
    ['pampanos vid', 'Juan 15:5'],
    ['ojo por ojo', 'Éxodo 21:24 / Mateo 5:38 / Levítico 24:20 / Deuteronomio 19:21'],
  ]),
];
