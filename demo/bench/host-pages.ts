/** A page that the test bench shows the widget on. */
export interface HostPage {
  /** Name of its file in `pages`, and of its address. */
  readonly id: string;
  readonly name: string;
  /** The page's hostile trait, and the expected behaviour. */
  readonly note: string;
  /** Sandbox flags of the frame. Default: no sandbox. */
  readonly sandbox?: string;
}

/** The pages, in the order in which they are offered. The first one is shown unless the address says otherwise. */
export const HOST_PAGES: readonly HostPage[] = [
  {
    id: 'site',
    name: 'Ferry company',
    note: 'The start page of the demo company, under its strict policy. Everything should work.',
  },
  {
    id: 'strict-policy',
    name: 'Strict policy',
    note: 'A Content Security Policy that allows no style, no inline code, no eval and no HTML sinks. The page counts what the browser refused: it has to stay at 0 while you open, write, rate and save.',
  },
  {
    id: 'resets',
    name: 'Global resets',
    note: 'Rules with !important for every element: all: unset, huge letters, no borders, everything red. Launcher and panel look as on the other pages; compare their letters, spacing and focus rings.',
  },
  {
    id: 'layers',
    name: 'Layers',
    note: 'A cookie bar, a promotion and another launcher with the highest z-index there is. The page sets --natter-z-index to the same, so launcher and panel are above them; the modal dialog of the page is above all, and the chat works again after it.',
  },
  {
    id: 'no-scroll',
    name: 'Body without scroll',
    note: 'html and body are fixed and hide what overflows; a box inside scrolls. The launcher stays in its corner, the panel is whole, and on a phone the page is as before once the panel is closed.',
  },
  {
    id: 'transformed',
    name: 'Transformed body',
    note: 'The body is rotated, filtered and contained, which makes it the reference of everything fixed in it. The launcher still appears in the corner of the window, straight and sharp.',
  },
  {
    id: 'clobbered',
    name: 'Shadowed names',
    note: 'Elements called body, head, currentScript, Natter and so on, which shadow properties of document and window. Open the chat, ask a question and press Examine: it finds no problem.',
  },
  {
    id: 'old-library',
    name: 'Old library',
    note: 'A script of 2008 adds enumerable methods and its own toJSON to Array and Date, and replaces bind and Element.remove. Frames in the log stay well formed, and the answer streams.',
  },
  {
    id: 'single-page',
    name: 'Single-page application',
    note: 'Every link replaces the whole body and the title, and pushes an address. The chat stays open with its content; the back button keeps it too.',
  },
  {
    id: 'sandboxed',
    name: 'Sandboxed frame',
    sandbox: 'allow-scripts allow-forms allow-popups',
    note: 'A frame without an origin, storage and cookies. The token proxy rejects it, so the widget cannot connect, and Examine reports that the page has no origin.',
  },
  {
    id: 'no-storage',
    name: 'No storage, no cookies',
    note: 'As where the browser blocks third-party data: localStorage, sessionStorage and IndexedDB throw, and cookies are not kept. A conversation works; a reload starts a new one.',
  },
  {
    id: 'zoomed',
    name: 'Page that zooms itself',
    note: 'The page sets zoom: 1.5 on its root. Launcher and panel grow with it, nothing is cut off, and the composer stays above the lower edge.',
  },
  {
    id: 'long',
    name: 'Very long page',
    note: 'Three hundred sections with a sticky header. Scroll to the middle and open: the page stays where it is, the launcher does not jump, and scrolling in the chat does not scroll the page.',
  },
];
