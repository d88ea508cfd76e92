import type { Html } from '../html';
import { html } from '../html';

export interface PaginatedList<Item> {
  items: readonly Item[];
  number: number;
  hasNext: boolean;
  label: string;
}

export const pageSize = 50;

/** The page of a list that the address asks for; the nearest one when there is no such page. */
export function paginate<Item>(all: readonly Item[], query: URLSearchParams): PaginatedList<Item> {
  const count = Math.max(1, Math.ceil(all.length / pageSize));
  const number = Math.min(count, readPageNumber(query));
  return {
    items: all.slice((number - 1) * pageSize, number * pageSize),
    number,
    hasNext: number < count,
    label: `Page ${number} of ${count}`,
  };
}

export function readPageNumber(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

/** Ways to the pages before and after, where there are any. The rest of the address stays. */
export function renderPagination(
  { number, hasNext, label }: { number: number; hasNext: boolean; label: string },
  path: string,
  query: URLSearchParams,
): Html | null {
  if (number === 1 && !hasNext) return null;
  const link = (to: number, name: string): Html => {
    const search = new URLSearchParams(query);
    search.set('page', String(to));
    return html`<a href="${path}?${search.toString()}">${name}</a> `;
  };
  return html`<nav class="paging" aria-label="Pages">${number > 1 ? link(number - 1, 'Before') : null}<span>${label}</span> ${hasNext ? link(number + 1, 'After') : null}</nav>\n`;
}
