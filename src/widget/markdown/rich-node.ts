/** A node of an agent's text: a string, or an element with further nodes. */
export type RichNode = string | RichElement;

/** Names of the only elements that the widget creates from an agent's text. Source: AM-3. */
export type RichTag = BlockTag | InlineTag;
export type InlineTag = 'strong' | 'em' | 'del' | 'code' | 'a' | 'br';
export type BlockTag =
  | 'p'
  | 'h3'
  | 'h4'
  | 'hr'
  | 'pre'
  | 'blockquote'
  | 'ul'
  | 'ol'
  | 'li'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td';

export interface RichElement {
  readonly tag: RichTag;
  readonly children: readonly RichNode[];
  /** Only on `a`: an address that `toSafeHref` let through. */
  readonly href?: string;
  /** Only on `ol`: the number of its first item. */
  readonly start?: number | undefined;
  /** Only on `ul` and `ol`: true if blank lines stand between its items or their blocks. */
  readonly isLoose?: boolean;
  /** Only on `li`: the state of a task. Absent for other items. */
  readonly isDone?: boolean;
  /** Only on `th` and `td`. */
  readonly align?: 'start' | 'center' | 'end';
}
