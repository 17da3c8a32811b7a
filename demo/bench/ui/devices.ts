/** A screen to look at the widget on. */
export interface Device {
  readonly id: string;
  readonly name: string;
  /** The page's window in its own pixels; null: as large as the bench has room. */
  readonly size: readonly [width: number, height: number] | null;
  /** How many times larger its pixels are, as in a window that is zoomed. */
  readonly zoom: number;
}

const device = (id: string, name: string, width: number, height: number, zoom = 1): Device => ({
  id,
  name,
  size: [width, height],
  zoom,
});

/** The screens that the bench offers; the first one is shown unless the address says otherwise. */
export const DEVICES: readonly Device[] = [
  { id: 'room', name: 'Fit to window', size: null, zoom: 1 },
  device('phone', 'Phone, 360 × 740', 360, 740),
  device('small-phone', 'Small phone, 320 × 568', 320, 568),
  device('landscape', 'Phone in landscape, 740 × 360', 740, 360),
  device('tablet', 'Tablet, 768 × 1024', 768, 1_024),
  device('desktop', 'Desktop, 1280 × 800', 1_280, 800),
  device('zoomed', 'Desktop at 200 %', 640, 400, 2),
];
