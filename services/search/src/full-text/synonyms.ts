/**
 * Groups of words that translations use for the same thing, without case and accents: names, and
 * old words with their modern words. If no verse contains all words of a query, the search finds
 * verses by any word of a group. A name whose spellings differ only in accents needs no group.
 */
const groups: readonly string[] = [
  // Names of God and of the Messiah.
  'lord yahweh jehovah yah jah jehova yahve yave señor',
  'christ messiah anointed cristo mesias ungido',
  'holy santo',
  'ghost spirit espiritu',
  // Names of people, as English and Spanish translations and the King James New Testament write
  // them.
  'abraham abram',
  'cephas cefas peter pedro',
  'elijah elias',
  'elisha eliseus eliseo',
  'eve eva',
  'ezekiel ezequiel',
  'habakkuk habacuc',
  'haggai hageo aggeo',
  'hezekiah ezekias ezequias',
  'hosea osee oseas',
  'isaiah esaias isaias',
  'james jacobo santiago',
  'jeremiah jeremias jeremy',
  'job hiob',
  'john juan',
  'jonah jonas',
  'joseph jose',
  'joshua josue',
  'judah juda judas',
  'luke lucas',
  'mark marcos',
  'mary maria',
  'matthew mateo',
  'micah micheas miqueas',
  'moses moises',
  'nebuchadnezzar nebuchadrezzar nabucodonosor',
  'noah noe',
  'paul pablo',
  'pharaoh faraon',
  'pilate pilato',
  'satan satanas devil diablo',
  'solomon salomon',
  'stephen esteban',
  'zechariah zacharias zacarias',
  // Names of places.
  'babylon babilonia',
  'bethlehem belen',
  'egypt egipto',
  'jerusalem jerusalen',
  'zion sion',
  // Old words of English translations.
  'ass donkey',
  'begotten born',
  'brethren brothers',
  'charity love',
  'hath has have',
  'hither here',
  'kine cattle',
  'raiment clothing',
  'saith says said',
  'shalt shall will',
  'sheweth shows show',
  'spake spoke',
  'thee you',
  'thine your',
  'thou you',
  'thy your',
  'unto to',
  'whither where',
  'ye you',
  // Words of churches that some translations lack.
  'brimstone sulfur',
  'calvary skull',
  'church assembly congregation',
  'churches assemblies',
  'firmament expanse',
  'hell gehenna hades sheol',
  'lovingkindness kindness',
  'manger trough',
  'propitiation atoning',
  'sepulchre tomb',
  // Old words of Spanish translations.
  'caridad amor',
  'crio creo',
  'empero pero',
  'maguer aunque',
  'vosotros ustedes',
];

const wordsByMember = new Map<string, string[]>();
for (const group of groups) {
  const members = group.split(' ');
  for (const member of members)
    wordsByMember.set(member, [...(wordsByMember.get(member) ?? []), ...members.filter((other) => other !== member)]);
}

/** The old English ending of verbs: `goeth` and `giveth` stand for `go` and `give`. */
const oldEnding = /^(\p{L}{2,})eth$/u;

/** Returns the words that other translations use for a word. All are without case and accents. */
export function synonymsOf(folded: string): readonly string[] {
  const stem = oldEnding.exec(folded)?.[1];
  return [...(wordsByMember.get(folded) ?? []), ...(stem === undefined ? [] : [stem, `${stem}e`])];
}

/** Tests for function words (`you`, `to`) and old forms of them (`thou`, `unto`). */
export const createFunctionWordCheck =
  (functionWords: ReadonlySet<string>) =>
  (folded: string): boolean =>
    functionWords.has(folded) || synonymsOf(folded).some((other) => functionWords.has(other));
