/** What `bundle.mjs` puts in place of these names. */

/** Paths of the scripts that Monaco runs beside the page. */
declare const WORKERS: { readonly editor: string; readonly json: string; readonly graphql: string };

/** The operations of every `services/<name>/examples.graphql`, each with the comment above it. */
declare const EXAMPLES: readonly {
  readonly service: string;
  readonly examples: readonly {
    readonly name: string;
    readonly title: string;
    readonly about: string;
    readonly query: string;
  }[];
}[];

declare module '*.css';
