// Words that Lectern once used for concepts that have a common name, and the common name of each.
// scripts/check-words.mjs reports files that use such a word. docs/glossary.md explains the terms that are Lectern's own.

/**
 * @typedef {object} WordRule
 * @property {RegExp} pattern global; matched against each line, or against the test name
 * @property {string} use the term to use instead
 * @property {'text' | 'code' | 'test name' | 'path'} in where the word is looked for. `code` is .ts, .tsx, .mjs, .cjs
 */

/** @type {WordRule[]} */
export const wordRules = [
  // Bounds and limits.
  { in: 'code', pattern: /\b(most|least)[A-Z]\w*/g, use: 'maxX or minX' },
  { in: 'text', pattern: /\bAllowances?\b(?= =|;|\[|>)/g, use: 'RateLimit' },
  { in: 'code', pattern: /\b(giveBack|takeAlone|isOut)\b/g, use: 'refund, consumeLocally or isUnavailable' },
  { in: 'text', pattern: /\bowed\b/gi, use: 'unsynced (counts)' },
  { in: 'text', pattern: /\baskers?\b/gi, use: 'subject or caller' },

  // Cache and execution.
  { in: 'text', pattern: /\bkept[ -]answers?\b|keptAnswers?\b|KEPT_ANSWERS/gi, use: 'cached response, response cache' },
  { in: 'text', pattern: /\bshared[ -]answers?\b|sharedAnswers?\b/gi, use: 'response cache' },
  { in: 'text', pattern: /\b(known|promised)[ -]answers?\b/gi, use: 'response formatting' },
  { in: 'text', pattern: /\bvolatile\b(?!-)|\bsteadiness\b/gi, use: 'uncacheable, cacheability' },
  { in: 'text', pattern: /\bfast (way|routes?)\b|\bFAST_PATH\b|\bfastRoutes?\b/gi, use: 'execution strategy' },
  { in: 'text', pattern: /\bplan runner\b/gi, use: 'query-plan executor' },
  { in: 'text', pattern: /\bengine names\b/gi, use: 'alias rewriting' },
  { in: 'text', pattern: /\b(answerStore|AnswerStore|SubgraphAnswer)\b/g, use: 'response cache, SubgraphResponse' },

  // Validation and cost.
  { in: 'text', pattern: /\bjudge[ds]?\b|\bjudging\b|createJudge/g, use: 'validate, operation validator' },
  { in: 'text', pattern: /\bprice[ds]?\b|\bpricing\b|\bdear(er|est)?\b/gi, use: 'cost, expensive' },
  { in: 'text', pattern: /\bGoodOperation\b/g, use: 'PreparedOperation' },
  { in: 'text', pattern: /\brefusals?\b|\bsendRefusal\b/gi, use: 'rejection, error response' },
  {
    in: 'text',
    pattern:
      /(?<!["']|connections? (is |are |was |be )?)\brefus(e|es|ed|ing)\b(?! (the |a |its |every |new )?connections?)/gi,
    use: 'reject, rejected (`refuse` only for connections)',
  },

  // Subgraphs and processes.
  { in: 'text', pattern: /\bpatience\b/gi, use: 'hedging delay' },
  { in: 'text', pattern: /(?<!['"])\bnonsense\b/gi, use: 'invalid response' },
  { in: 'text', pattern: /\bstanding (in|out)\b|\bleft alone\b/gi, use: 'circuit closed, circuit open' },
  { in: 'text', pattern: /\bunder[ -]way\b/gi, use: 'in flight' },
  { in: 'text', pattern: /\bmend(s|ed|ing)?\b/gi, use: 'repair, respawn' },
  { in: 'text', pattern: /\bownLine\b/g, use: 'channelToPrimary' },
  { in: 'text', pattern: /\b(corporaSeen|mixedCorpora)\b/gi, use: 'datasetGeneration, versionSkew' },

  // Data.
  { in: 'text', pattern: /\beditions?\b|Edition/gi, use: 'translation' },
  { in: 'text', pattern: /\b(un)?seal(s|ed|ing)?\b|[a-z]Sealed/gi, use: 'checksummed file, signed entry' },

  // Repository.
  {
    in: 'text',
    pattern: /\b(a|the|its|own|each|another|other|that|this|every) rooms?\b|\brooms\b/gi,
    use: 'package, process',
  },
  { in: 'text', pattern: /\bfront[ -]doors?\b/gi, use: 'public entry' },
  { in: 'text', pattern: /\btwins?\b/gi, use: 'duplicate' },
  { in: 'text', pattern: /\bmains\b/gi, use: 'entry points' },
  { in: 'text', pattern: /\bmakers\b/gi, use: 'factories' },
  { in: 'text', pattern: /\bvisitors?\b/gi, use: 'browser client, caller' },
  { in: 'text', pattern: /\bobservations?\b/gi, use: 'metrics' },
  { in: 'text', pattern: /\bfaults?\b/gi, use: 'error, failure' },
  { in: 'text', pattern: /\b(is|are|was|were) (told|seen to)\b/gi, use: 'is reported, is handled' },
  { in: 'text', pattern: /\bcoverage of (the )?words\b|\bwordCoverage\b/gi, use: 'lexical overlap' },

  // Names of tests and files.
  {
    in: 'test name',
    pattern: /^(nor|so|and|likewise)\b|\bthe same for\b/gi,
    use: 'a name that stands alone in a CI log',
  },
  {
    in: 'path',
    pattern: /\b(kept|judge|price|edition|sealed|rooms?|twins?|faults?|patience|visitor|mend|refusal|peers?)\b/g,
    use: "the field's term",
  },
];

/**
 * Files in which rejected words are allowed. `path` is a prefix of the file path.
 * `words` is a RegExp that matches the allowed words. Without `words`, the file may contain every word.
 *
 * @type {{ path: string, words?: RegExp, reason: string }[]}
 */
export const exceptions = [
  { path: 'scripts/check-words/rejected-words.mjs', reason: 'This file lists the words.' },
  { path: 'docs/glossary.md', reason: 'The glossary may name what a term replaces.' },
  { path: 'tests/contract.graphql', reason: 'Released clients rely on these descriptions.' },
  { path: 'tests/fixtures/', reason: 'Texts of others.' },
  { path: 'packages/corpus/src/', words: /^edition$/, reason: 'A table and column of the data files.' },
  { path: 'bench/costs.md', words: /^edition$/, reason: 'OriginalText.edition is a field.' },
  {
    path: 'packages/client/src/operations.generated.ts',
    words: /^edition$/,
    reason: 'OriginalText.edition is a field.',
  },
  { path: 'services/concordance/', words: /^edition$/, reason: 'A table and column of the data files.' },
  { path: 'services/search/', words: /^edition$/, reason: 'A table and column of the data files.' },
  {
    path: 'services/originals/',
    words: /^edition$/i,
    reason: 'A printed text has editions; OriginalText.edition is a field.',
  },
  { path: 'packages/embeddings/model/', reason: 'The model is not ours.' },
  { path: 'services/search/query-kinds/', reason: 'Queries of people, and weights.' },
];
