const DAYS = ["tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const TIMES = ["18:00", "18:30", "19:00", "19:30", "20:00", "20:30", "21:00"];
const SEATS = { inside: 24, terrace: 12 };

const bookings = new Map();
let next = 1;

function show() {
  document.querySelector("#bookings").replaceChildren(...[...bookings].map(([code, booking]) => {
    const row = document.createElement("li");
    row.textContent = `${code}: ${booking.guests} on ${booking.day} at ${booking.time}, ${booking.area}`;
    return row;
  }));
}

function taken(day, time, area) {
  return [...bookings.values()]
    .filter((each) => each.day === day && each.time === time && each.area === area)
    .reduce((sum, each) => sum + each.guests, 0);
}

function checked(day, time, guests) {
  if (day === "monday") throw new Error("We are closed on Mondays.");
  if (!DAYS.includes(day)) throw new Error(`A day is one of ${DAYS.join(", ")}.`);
  if (time !== undefined && !TIMES.includes(time)) throw new Error("The kitchen takes tables from 18:00 to 21:00.");
  if (!Number.isInteger(guests) || guests < 1 || guests > 12) throw new Error("A table is for 1 to 12 guests.");
}

function found(code) {
  const booking = bookings.get(String(code).toUpperCase());
  if (!booking) throw new Error(`There is no booking ${code}.`);
  return booking;
}

const actions = {
  find_free_tables({ day, guests, area }) {
    checked(day, undefined, guests);
    const areas = area ? [area] : Object.keys(SEATS);
    const free = areas.flatMap((each) => TIMES
      .filter((time) => taken(day, time, each) + guests <= SEATS[each])
      .map((time) => ({ time, area: each })));
    document.querySelector("#free").textContent = `${free.length} free tables on ${day}`;
    return free;
  },
  book_table({ day, time, guests, area = "inside", name = "" }) {
    checked(day, time, guests);
    if (taken(day, time, area) + guests > SEATS[area]) throw new Error("That table is taken.");
    const code = `L${next++}`;
    bookings.set(code, { day, time, guests, area, name });
    show();
    return { code, day, time, guests, area };
  },
  move_booking({ code, day, time }) {
    const booking = found(code);
    checked(day ?? booking.day, time ?? booking.time, booking.guests);
    Object.assign(booking, { day: day ?? booking.day, time: time ?? booking.time });
    show();
    return { code, ...booking };
  },
  cancel_booking({ code }) {
    found(code);
    bookings.delete(String(code).toUpperCase());
    show();
    return `Booking ${code} is cancelled.`;
  },
};

const tools = await (await fetch("tools.json")).json();
for (const tool of tools) {
  await document.modelContext.registerTool({ ...tool, execute: async (input) => actions[tool.name](input) });
}
show();
