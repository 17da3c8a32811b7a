/** In the address of the preview's page: it may talk to a token proxy elsewhere. Without it nothing leaves the page. */
export const OUTSIDE = 'answers=proxy';

/** Appearance of the preview; sent by the console's page from the same origin. */
export interface PreviewSettings {
  /** Options of `mount`, by name. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Style sheet of a ready theme; empty: none. */
  readonly theme: string;
  /** Properties of the widget for style sheets, by name. */
  readonly properties: Readonly<Record<string, string>>;
  /** Whether the answers are scripted, and nothing is sent. */
  readonly isScripted: boolean;
}
