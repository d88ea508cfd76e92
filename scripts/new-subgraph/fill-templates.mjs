import { readdirSync, readFileSync } from 'node:fs';

const templateFolder = new URL('templates/', import.meta.url);

/** Fills the placeholders `{{value}}` of a template. */
export const fillTemplate = (template, values) =>
  readFileSync(new URL(`${template}.template`, templateFolder), 'utf8').replace(
    /\{\{(\w+)\}\}/g,
    (placeholder, key) => values[key] ?? placeholder,
  );

/** Lists the templates of a folder, without their ending. */
export const templatesIn = (folder) =>
  readdirSync(new URL(`${folder}/`, templateFolder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.template'))
    .map((file) => file.replace(/\.template$/, ''))
    .sort();
