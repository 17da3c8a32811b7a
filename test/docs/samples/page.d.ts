import type { NatterWidget } from 'natter';

// Globals of a page around a sample.
declare global {
  const Natter: NatterWidget;
  const dataLayer: object[];
  const user: { id: string; name: string };
  interface Window {
    dataLayer?: object[];
  }
}
