/** ThumbHash (evanw.github.io/thumbhash): some 25 bytes that become a small blurred picture. */

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
    l: (colours & 63) / 63, p: ((colours >> 6) & 63) / 31.5 - 1, q: ((colours >> 12) & 63) / 31.5 - 1,
    lScale: ((colours >> 18) & 31) / 31, hasAlpha: (colours >> 23) & 1,
    pScale: ((rest >> 3) & 63) / 63, qScale: ((rest >> 9) & 63) / 63, isWide: rest >> 15, side: rest & 7,
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

/** Cosines for one axis, `count` of them for each of `length` pixels. */
function cosines(count, length) {
  return Array.from({ length: count }, (_, c) =>
    Float32Array.from({ length }, (_, x) => Math.cos((Math.PI / length) * (x + 0.5) * c)));
}

/** A channel's pixels: its coefficients summed along x for each row of them, then along y. */
function plane(average, values, width, height, across, down) {
  const rows = new Map();
  for (const { cx, cy, value } of values) {
    if (!rows.has(cy)) rows.set(cy, new Float32Array(width));
    const row = rows.get(cy);
    for (let x = 0; x < width; x++) row[x] += 2 * value * across[cx][x];
  }
  const pixels = new Float32Array(width * height).fill(average);
  for (const [cy, row] of rows) {
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[y * width + x] += row[x] * down[cy][y];
  }
  return pixels;
}

/** The picture, its longer side `size` pixels. @returns {ImageData} */
export function picture(hash, size = 20) {
  const { l, p, q, lScale, pScale, qScale, hasAlpha, isWide, side } = head(hash);
  const longer = hasAlpha ? 5 : 7;
  const [nx, ny] = (isWide ? [longer, side] : [side, longer]).map((count) => Math.max(3, count));
  const shorter = Math.max(4, Math.round((size * Math.max(1, side)) / longer));
  const [width, height] = isWide ? [size, shorter] : [shorter, size];
  const start = { byte: hasAlpha ? 6 : 5, nibble: 0 };
  const [across, down] = [cosines(nx, width), cosines(ny, height)];
  const channel = (average, nx, ny, scale) =>
    plane(average, coefficients(hash, start, { nx, ny, scale }), width, height, across, down);
  const ls = channel(l, nx, ny, lScale);
  const ps = channel(p, 3, 3, pScale * 1.25);
  const qs = channel(q, 3, 3, qScale * 1.25);
  const image = new ImageData(width, height);
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
