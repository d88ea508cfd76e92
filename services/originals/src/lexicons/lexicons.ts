/** A lexicon that Lectern can import. */
export interface Lexicon {
  readonly id: 'bdb' | 'strongs-hebrew' | 'abbott-smith';
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly licence: {
    readonly code: string;
    readonly holder: string | null;
    readonly url: string;
    readonly attribution: string;
  };
}

const openScriptures = {
  code: 'CC-BY-4.0',
  holder: 'Open Scriptures Hebrew Bible Project',
  url: 'https://creativecommons.org/licenses/by/4.0/',
};

/** All lexicons, in the order in which the entries of a word are listed. */
export const lexicons: readonly Lexicon[] = [
  {
    id: 'bdb',
    title: 'A Hebrew and English Lexicon of the Old Testament (outlines)',
    author: 'Francis Brown, S. R. Driver, Charles A. Briggs',
    year: 1906,
    licence: {
      ...openScriptures,
      attribution:
        'Brown, Driver and Briggs, in the public domain. Outlines: Open Scriptures Hebrew Bible Project, CC BY 4.0.',
    },
  },
  {
    id: 'strongs-hebrew',
    title: 'A Concise Dictionary of the Words in the Hebrew Bible',
    author: 'James Strong',
    year: 1890,
    licence: {
      ...openScriptures,
      attribution: "Strong's dictionary, in the public domain. Text: Open Scriptures Hebrew Bible Project, CC BY 4.0.",
    },
  },
  {
    id: 'abbott-smith',
    title: 'A Manual Greek Lexicon of the New Testament',
    author: 'G. Abbott-Smith',
    year: 1922,
    licence: {
      code: 'PD',
      holder: null,
      url: 'https://github.com/translatable-exegetical-tools/Abbott-Smith',
      attribution: 'G. Abbott-Smith, A Manual Greek Lexicon of the New Testament (1922), in the public domain.',
    },
  },
];

export const lexiconOf = (entryId: string): Lexicon => {
  const lexicon = lexicons.find(({ id }) => entryId.startsWith(`${id}:`));
  if (!lexicon) throw new Error(`originals.sqlite has an entry of an unknown lexicon: ${entryId}`);
  return lexicon;
};
