/** How the preview is to look; sent by the console's page, in the frame's own origin. */
export interface PreviewSettings {
  /** Options of `mount`, by name. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Style sheet of the page. */
  readonly styles: string;
  /** Whether the answers are scripted, and nothing is sent. */
  readonly isScripted: boolean;
}
