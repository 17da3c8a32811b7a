const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });

/** Returns the relative luminance of a CSS colour, as the browser paints it. */
function luminance(color: string): number {
  if (!canvas) throw new Error('This browser has no canvas to read colours with.');
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const channels = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => {
    const value = byte / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two CSS colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
