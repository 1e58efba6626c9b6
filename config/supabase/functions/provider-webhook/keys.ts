import { PublicKey } from "./signatures.ts";

/** fal's public keys, fetched once a day and when none fits, but not more often than once a minute. */
export class KeySet {
  private keys: PublicKey[] = [];
  private fetchedAt = -Infinity;

  constructor(private readonly address: string) {}

  /** The keys; with `renewed` those of at most a minute ago. Throws where there are none and none can be had. */
  async at(now: Date, renewed = false): Promise<PublicKey[]> {
    const age = now.getTime() - this.fetchedAt;
    if (age < (renewed ? 60_000 : 24 * 3600_000)) return this.keys;
    try {
      const response = await fetch(this.address, { signal: AbortSignal.timeout(5000) });
      const keys = response.ok ? (await response.json())?.keys : await response.body?.cancel();
      if (!Array.isArray(keys)) throw new Error(`${this.address} answered ${response.status}`);
      [this.keys, this.fetchedAt] = [keys, now.getTime()];
    } catch (error) {
      if (!this.keys.length) throw error;
    }
    return this.keys;
  }
}
