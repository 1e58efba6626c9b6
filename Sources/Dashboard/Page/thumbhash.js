/** ThumbHash (evanw.github.io/thumbhash): some 25 bytes that become a small blurred picture. */

/** Pixels of a preview's sides. */
const side = 16;

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

/** Of each frequency a cosine for each pixel of a side. */
const cosines = Array.from(
  { length: 8 },
  (_, c) => Float32Array.from({ length: side }, (_, x) => Math.cos((Math.PI / side) * (x + 0.5) * c)),
);

const [ls, ps, qs] = Array.from({ length: 3 }, () => new Float32Array(side * side));
const row = new Float32Array(side);

/**
 * Fills a channel's pixels. Its coefficients stand as rows of a triangle, without the first: each row is summed along x,
 * then spread along y. `start` moves on to the next channel's.
 */
function fill(plane, hash, start, { average, nx, ny, scale }) {
  plane.fill(average);
  for (let cy = 0; cy < ny; cy++) {
    row.fill(0);
    for (let cx = cy > 0 ? 0 : 1; cx * ny < nx * (ny - cy); cx++) {
      const nibble = (hash[start.byte + (start.nibble >> 1)] >> ((start.nibble & 1) << 2)) & 15;
      const value = 2 * (nibble / 7.5 - 1) * scale;
      for (let x = 0; x < side; x++) row[x] += value * cosines[cx][x];
      start.nibble += 1;
    }
    for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) plane[y * side + x] += row[x] * cosines[cy][y];
  }
}

/** Fills the square at `left` of an image that is as high as one, to be stretched to the picture's shape. */
function draw(image, left, hash) {
  const { l, p, q, lScale, pScale, qScale, hasAlpha, isWide, side: shorter } = head(hash);
  const longer = hasAlpha ? 5 : 7;
  const [nx, ny] = (isWide ? [longer, shorter] : [shorter, longer]).map((count) => Math.max(3, count));
  const start = { byte: hasAlpha ? 6 : 5, nibble: 0 };
  fill(ls, hash, start, { average: l, nx, ny, scale: lScale });
  fill(ps, hash, start, { average: p, nx: 3, ny: 3, scale: pScale * 1.25 });
  fill(qs, hash, start, { average: q, nx: 3, ny: 3, scale: qScale * 1.25 });
  for (let index = 0; index < ls.length; index++) {
    const b = ls[index] - (2 / 3) * ps[index];
    const r = (3 * ls[index] - b + qs[index]) / 2;
    const place = ((index >> 4) * image.width + left + (index & 15)) * 4;
    // The array cuts what lies outside 0…255.
    image.data[place] = r * 255;
    image.data[place + 1] = (r - qs[index]) * 255;
    image.data[place + 2] = b * 255;
    image.data[place + 3] = 255;
  }
}

/** Squares that are drawn at once; more take another round. */
const squares = 16;
const image = new ImageData(side * squares, side);
const sheet = new OffscreenCanvas(image.width, side).getContext("2d", { alpha: false });

/**
 * Stretches previews to boxes of a pen's canvas.
 * @param {{left: number, width: number}[]} boxes
 * @param {(Uint8Array | null)[]} hashes one for each box; `null` where none is drawn
 */
export function drawPreviews(pen, boxes, hashes) {
  const places = [...hashes.keys()].filter((place) => hashes[place]);
  for (let first = 0; first < places.length; first += squares) {
    const some = places.slice(first, first + squares);
    some.forEach((place, index) => draw(image, index * side, hashes[place]));
    sheet.putImageData(image, 0, 0, 0, 0, some.length * side, side);
    some.forEach((place, index) => {
      const { left, width } = boxes[place];
      pen.drawImage(sheet.canvas, index * side, 0, side, side, left, 0, width, pen.canvas.height);
    });
  }
}
