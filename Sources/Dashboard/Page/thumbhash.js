/** ThumbHash (evanw.github.io/thumbhash): some 25 bytes that become a small blurred picture. */

/** Pixels of the picture's sides. */
export const side = 16;

/** @returns {Uint8Array | null} `null` where the text is no hash */
export function bytesOf(base64) {
  try {
    const text = atob(base64);
    return text.length < 5 ? null : Uint8Array.from(text, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function head(hash) {
  const colours = hash[0] | (hash[1] << 8) | (hash[2] << 16);
  const rest = hash[3] | (hash[4] << 8);
  return {
    l: (colours & 63) / 63,
    p: ((colours >> 6) & 63) / 31.5 - 1,
    q: ((colours >> 12) & 63) / 31.5 - 1,
    lScale: ((colours >> 18) & 31) / 31,
    hasAlpha: (colours >> 23) & 1,
    pScale: ((rest >> 3) & 63) / 63,
    qScale: ((rest >> 9) & 63) / 63,
    isWide: rest >> 15,
    side: rest & 7,
  };
}

function rgb(l, p, q) {
  const b = l - (2 / 3) * p;
  const r = (3 * l - b + q) / 2;
  return [r, r - q, b].map((value) => Math.max(0, Math.min(255, Math.round(value * 255))));
}

/** The average colour, for CSS. */
export function colour(hash) {
  const { l, p, q } = head(hash);
  return `rgb(${rgb(l, p, q).join(" ")})`;
}

/** Coefficients in the order in which the hash has them: rows of a triangle, without the first. */
function coefficients(hash, start, { nx, ny, scale }) {
  const values = [];
  let index = start.nibble;
  for (let cy = 0; cy < ny; cy++) {
    for (let cx = cy > 0 ? 0 : 1; cx * ny < nx * (ny - cy); cx++) {
      const nibble = (hash[start.byte + (index >> 1)] >> ((index & 1) << 2)) & 15;
      values.push({ cx, cy, value: (nibble / 7.5 - 1) * scale });
      index += 1;
    }
  }
  start.nibble = index;
  return values;
}

/** Of each frequency a cosine for each pixel of a side. */
const cosines = Array.from(
  { length: 8 },
  (_, c) => Float32Array.from({ length: side }, (_, x) => Math.cos((Math.PI / side) * (x + 0.5) * c)),
);

/** A channel's pixels: its coefficients summed along x for each row of them, then along y. */
function plane(average, values) {
  const rows = [];
  for (const { cx, cy, value } of values) {
    const row = (rows[cy] ??= new Float32Array(side));
    for (let x = 0; x < side; x++) row[x] += 2 * value * cosines[cx][x];
  }
  const pixels = new Float32Array(side * side).fill(average);
  rows.forEach((row, cy) => {
    for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) pixels[y * side + x] += row[x] * cosines[cy][y];
  });
  return pixels;
}

const image = new ImageData(side, side);

/** The picture as a square, to be stretched to its shape; the next call draws into the same one. */
export function picture(hash) {
  const { l, p, q, lScale, pScale, qScale, hasAlpha, isWide, side: shorter } = head(hash);
  const longer = hasAlpha ? 5 : 7;
  const [nx, ny] = (isWide ? [longer, shorter] : [shorter, longer]).map((count) => Math.max(3, count));
  const start = { byte: hasAlpha ? 6 : 5, nibble: 0 };
  const channel = (average, nx, ny, scale) => plane(average, coefficients(hash, start, { nx, ny, scale }));
  const ls = channel(l, nx, ny, lScale);
  const ps = channel(p, 3, 3, pScale * 1.25);
  const qs = channel(q, 3, 3, qScale * 1.25);
  for (let index = 0; index < ls.length; index++) {
    const b = ls[index] - (2 / 3) * ps[index];
    const r = (3 * ls[index] - b + qs[index]) / 2;
    // The array cuts what lies outside 0…255.
    image.data[index * 4] = r * 255;
    image.data[index * 4 + 1] = (r - qs[index]) * 255;
    image.data[index * 4 + 2] = b * 255;
    image.data[index * 4 + 3] = 255;
  }
  return image;
}
