// The duel of rpg.py as a program of its own: one JSON object a line, on standard input and output.

const PLAYERS = ["knight", "rogue", "mage", "cleric"];
const STRIKES_MAX = 400;
const USUAL = { hp: 100, attack: 12, armour: 2, speed: 1 };

const parameters = {};
for (const player of PLAYERS) {
  const ranges = { hp: [60, 140, 4], attack: [8, 20, 0.5], armour: [0, 6, 0.5], speed: [0.7, 1.5, 0.05] };
  for (const [field, [low, high, step]] of Object.entries(ranges)) {
    parameters[`${player}.${field}`] = { value: USUAL[field], low, high, step, players: [player] };
  }
}

/** Returns a generator of numbers from 0 to 1, the 32-bit generator mulberry32. */
function mulberry(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Plays one duel: the digit of the seat that won, or "d" if neither falls. */
function play(numbers, players, seed) {
  const draw = mulberry(seed);
  const health = players.map((player) => numbers[`${player}.hp`]);
  const clock = [draw(), draw()];
  for (let strike = 0; strike < STRIKES_MAX; strike += 1) {
    const me = clock[0] <= clock[1] ? 0 : 1;
    const [attacker, defender] = [players[me], players[1 - me]];
    clock[me] += 1 / numbers[`${attacker}.speed`];
    let damage = numbers[`${attacker}.attack`] * (0.6 + 0.8 * draw());
    if (draw() < 0.1) damage *= 2;
    health[1 - me] -= Math.max(1, damage - numbers[`${defender}.armour`]);
    if (health[1 - me] <= 0) return String(me);
  }
  return "d";
}

function answer(request) {
  if (request.do === "hello") return { evenhand: 1, game: "rpg", players: PLAYERS, parameters };
  const usual = Object.entries(parameters).map(([name, { value }]) => [name, value]);
  const results = request.rows.map(({ changes, players, seeds }) => {
    const numbers = { ...Object.fromEntries(usual), ...changes };
    // The last eight hexadecimal digits of a seed are its lowest 32 bits.
    return { winners: seeds.map((seed) => play(numbers, players, parseInt(seed.slice(8), 16))).join("") };
  });
  return { id: request.id, results };
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`));
