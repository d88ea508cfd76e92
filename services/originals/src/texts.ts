/** An original text that Lectern can import. */
export interface OriginalText {
  /** The number of the text in originals.sqlite. */
  readonly number: number;
  readonly id: string;
  readonly title: string;
  readonly edition: string;
  readonly language: 'hbo' | 'grc';
  readonly direction: 'RIGHT_TO_LEFT' | 'LEFT_TO_RIGHT';
  readonly licence: {
    readonly code: string;
    readonly holder: string | null;
    readonly url: string;
    readonly attribution: string;
  };
}

export const hebrewText: OriginalText = {
  number: 1,
  id: 'hbo-wlc',
  title: 'Westminster Leningrad Codex',
  edition: 'Version 4.20 with the Open Scriptures Hebrew Bible morphology of 2018-12-14',
  language: 'hbo',
  direction: 'RIGHT_TO_LEFT',
  licence: {
    code: 'CC-BY-4.0',
    holder: 'Open Scriptures Hebrew Bible Project',
    url: 'https://creativecommons.org/licenses/by/4.0/',
    attribution:
      'Text: Westminster Leningrad Codex, in the public domain. Lemmas and morphology: Open Scriptures Hebrew Bible Project, CC BY 4.0.',
  },
};

export const greekText: OriginalText = {
  number: 2,
  id: 'grc-sblgnt',
  title: 'The Greek New Testament: SBL Edition',
  edition: 'SBLGNT of 2010 with the MorphGNT morphology',
  language: 'grc',
  direction: 'LEFT_TO_RIGHT',
  licence: {
    code: 'LicenseRef-SBLGNT',
    holder: 'Logos Bible Software and the Society of Biblical Literature',
    url: 'http://sblgnt.com/license/',
    attribution:
      'Text: The Greek New Testament: SBL Edition, © 2010 Logos Bible Software and the Society of Biblical Literature, under the SBLGNT licence (sblgnt.com/license). Lemmas and morphology: MorphGNT, CC BY-SA 3.0.',
  },
};

/** All texts, in the order of their numbers. */
export const originalTexts: readonly OriginalText[] = [hebrewText, greekText];
