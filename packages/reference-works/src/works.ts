import { digestDictionary, openCommentary, type SourceModule } from '@lectern/corpus';
import type { CommentaryRules } from './read-commentary';

/** A reference work in the public domain that Debian packages as a SWORD module. */
interface ReferenceWork extends SourceModule {
  /** The identifier. It must not change, because clients may store it. */
  readonly id: string;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  /** Returns a digest of module and rules: if it changes, data is rebuilt. Throws if the module cannot be opened. */
  readonly digest: (conf: string) => string;
}

/** Increase it when the results change, so that `npm run data` builds the reference works again. */
const rulesVersion = 2;

const digestCommentary = (conf: string): string => `${openCommentary(conf).digest} ${rulesVersion}`;

export const topicalBible: ReferenceWork = {
  id: 'naves',
  module: 'Nave',
  debianPackage: 'sword-dict-naves',
  title: "Nave's Topical Bible",
  author: 'Orville J. Nave',
  year: 1896,
  digest: (conf) => `${digestDictionary(conf)} ${rulesVersion}`,
};

/** The commentaries, in the order of their identifiers. */
export const commentaryWorks: readonly (ReferenceWork & { readonly rules: CommentaryRules })[] = [
  {
    id: 'henry',
    module: 'MHCC',
    debianPackage: 'sword-comm-mhcc',
    title: "Matthew Henry's Concise Commentary on the Bible",
    author: 'Matthew Henry',
    year: 1706,
    digest: digestCommentary,
    rules: {
      scopeOf: (title) => (/^Chapter (?:Outline|\d+)$/.test(title) ? 'chapter' : 'book'),
      headingOf: (title) => (/^Chapter \d+$/.test(title) ? null : title.replace('Chapter Outline', 'Chapter outline')),
      isHeadingOfVerses: false,
    },
  },
  {
    id: 'scofield',
    module: 'Scofield',
    debianPackage: 'sword-comm-scofield',
    title: 'Scofield Reference Notes',
    author: 'C. I. Scofield',
    year: 1917,
    digest: digestCommentary,
    rules: {
      scopeOf: (title) => (title.startsWith('Book Introduction') ? 'book' : 'verses'),
      headingOf: (title) => title.replace(/^Book Introduction.*/, 'Book introduction'),
      isHeadingOfVerses: false,
    },
  },
  {
    id: 'spurgeon',
    module: 'TDavid',
    debianPackage: 'sword-comm-tdavid',
    title: 'The Treasury of David',
    author: 'C. H. Spurgeon',
    year: 1885,
    digest: digestCommentary,
    rules: {
      scopeOf: () => 'chapter',
      // Makes "Overview" of "Psalm 60 OVERVIEW".
      headingOf: (title) => inSentenceCase(title.replace(/^Psalms? [\d ]+(?=\p{Lu}{2})/u, '').replace(/\.$/, '')),
      isHeadingOfVerses: true,
    },
  },
];

const inSentenceCase = (title: string): string =>
  title === title.toUpperCase() ? title.charAt(0) + title.slice(1).toLowerCase() : title;
