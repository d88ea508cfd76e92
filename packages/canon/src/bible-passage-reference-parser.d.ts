// The package has types only for its ESM build. These, from its README, are for what is used of its CommonJS builds.
declare module 'bible-passage-reference-parser/cjs/full_bcv_parser.js' {
  interface PassageEnd {
    b?: string;
    c?: number;
    v?: number;
    type?: string;
  }
  export class bcv_parser {
    translations: { systems: { default: { order: Record<string, number>; chapters: Record<string, number[]> } } };
    set_options(options: Record<string, string>): this;
    add_books(added: { books: { osis: string[]; regexp: RegExp; insert_at?: string }[] }): void;
    translation_info(system?: string): { books: string[]; chapters: Record<string, number[]> };
    parse(text: string): this;
    osis(): string;
    parsed_entities(): {
      entities: { type: string; indices: [start: number, end: number]; start: PassageEnd; end: PassageEnd }[];
    }[];
  }
}

declare module 'bible-passage-reference-parser/cjs/en_bcv_parser.js' {
  export { bcv_parser } from 'bible-passage-reference-parser/cjs/full_bcv_parser.js';
}
