import type { NatterWidget } from 'natter';

// What a page has beside a sample.
declare global {
  const Natter: NatterWidget;
  const dataLayer: object[];
  const user: { id: string; name: string };
  interface Window {
    dataLayer?: object[];
  }
}
