import type { Html } from '../html';
import { html } from '../html';

export interface Pagination {
  /** The page's number, from 1. */
  number: number;
  hasNext: boolean;
  /** The label of the page, such as "Page 1 of 3". */
  label: string;
}

export interface PaginatedList<Item> extends Pagination {
  items: readonly Item[];
}

/** The number of items per page. */
export const pageSize = 50;

/**
 * Returns the page that the query parameter `page` names, or the last page if the list has fewer
 * pages.
 */
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

/**
 * Reads the page number. Returns 1 if the query parameter `page` is missing or not a number from 1
 * to 999,999.
 */
export function readPageNumber(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

/**
 * Renders links to the previous and next page; other query parameters stay.
 * Returns null for a single page.
 */
export function renderPagination(
  { number, hasNext, label }: Pagination,
  path: string,
  query: URLSearchParams,
): Html | null {
  if (number === 1 && !hasNext) return null;
  const link = (to: number, name: string): Html => {
    const search = new URLSearchParams(query);
    search.set('page', String(to));
    return html`<a href="${path}?${search.toString()}">${name}</a> `;
  };
  return html`<nav class="pagination" aria-label="Pages">${number > 1 ? link(number - 1, 'Previous') : null}<span>${label}</span> ${hasNext ? link(number + 1, 'Next') : null}</nav>\n`;
}
