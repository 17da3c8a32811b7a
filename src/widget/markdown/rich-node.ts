/** A piece of an agent's text: words, or an element that holds more of them. */
export type RichNode = string | RichElement;

/** The widget makes elements of these names and of no others. Source: AM-3. */
export type RichTag = BlockTag | InlineTag;
export type InlineTag = 'strong' | 'em' | 'code' | 'a' | 'br';
export type BlockTag =
  | 'p'
  | 'h3'
  | 'h4'
  | 'pre'
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
  /** Only on `th` and `td`. */
  readonly align?: 'start' | 'center' | 'end';
}
