/** Constants that `bundle-explorer.mjs` replaces by their values. */

/** The paths of Monaco's web worker scripts. */
declare const WORKERS: { readonly editor: string; readonly json: string; readonly graphql: string };

/** The operations of every `services/<name>/examples.graphql`, with the comments above them. */
declare const EXAMPLES: readonly {
  readonly service: string;
  readonly examples: readonly {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly query: string;
  }[];
}[];

declare module '*.css';
