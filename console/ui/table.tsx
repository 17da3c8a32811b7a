import type { ComponentChildren, VNode } from 'preact';

/** A column of a table. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the end side. */
  readonly isNumber?: boolean;
}

/**
 * A table of rows that are all there. Where the page is narrow it scrolls sideways, or, when it is stacked, shows
 * the cells of a row below each other, so that its buttons are in sight.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  isCaptionHidden = false,
  isStacked = false,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  isCaptionHidden?: boolean;
  isStacked?: boolean;
}): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
    <section class="table-scroll" aria-label={caption} tabIndex={0}>
      <table class="table" data-stacked={isStacked}>
        <caption class={isCaptionHidden ? 'unseen' : undefined}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ header, isNumber }) => (
              <th key={header} scope="col" data-number={isNumber}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ header, cell, isNumber }) => (
                <td key={header} data-number={isNumber} data-label={header}>
                  {isStacked ? <div>{cell(row)}</div> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
