/* What Reports become in object code: lines for `pipec_print`.
 *
 * Each variant of a pipeline has a table of its Reports' lines as constants. A line is put together on the stack and
 * written at once, so that those of several threads do not mix.
 */
#include "runtime.h"
#include "tables.h"

enum {
    NUMBER_BYTES = 50, /* the largest float32 has 39 digits before the point; with a separator */
    MAX_EVENTS = 0x7FFFFFFF,
};

static _Atomic uint32_t events;

static char *append(char *at, const char *text) {
    while (*text != 0) *at++ = *text++;
    return at;
}

static char *append_value(char *at, const Piece *piece, int64_t bits) {
    double number;
    __builtin_memcpy(&number, &bits, sizeof number);
    if (piece->kind == PIECE_BOOLEAN) return append(at, bits != 0 ? "true" : "false");
    if (piece->kind == PIECE_DOUBLE) return at + snprintf(at, NUMBER_BYTES, piece->text, number);
    return at + snprintf(at, NUMBER_BYTES, piece->text, (long long)bits);
}

/* Several lanes have their conditions after the values. */
static bool is_active(const Line *line, int64_t lanes, const int64_t *values, int64_t lane) {
    return lanes == 1 || values[line->values * lanes + lane] != 0;
}

/* Writes a line with the values of the lanes from `first` to before `end`; in brackets where the line takes all. */
static void write_line(const Line *line, int64_t lanes, const int64_t *values, int64_t first, int64_t end) {
    int64_t bytes = 0;
    for (int32_t i = 0; i < line->count; i++) {
        for (const char *c = line->pieces[i].text; *c != 0; c++) bytes++;
        bytes += NUMBER_BYTES * (end - first) + 2;
    }
    char text[bytes], *at = text;
    bool in_brackets = !line->for_each_lane && lanes > 1;
    for (int32_t i = 0; i < line->count; i++) {
        const Piece *piece = &line->pieces[i];
        if (piece->kind == PIECE_TEXT) {
            at = append(at, piece->text);
            continue;
        }
        const char *separator = in_brackets ? "<" : "";
        for (int64_t lane = first; lane < end; lane++) {
            if (!is_active(line, lanes, values, lane)) continue;
            at = append_value(append(at, separator), piece, values[piece->row * lanes + lane]);
            separator = ", ";
        }
        at = append(at, in_brackets ? ">" : "");
    }
    pipec_print(text, (size_t)(at - text));
}

/* The report function of object code; it gives the number of the event. */
int32_t pipec_write_report(CallTable *table, int32_t code, int32_t lanes, int64_t *values) {
    const Line *line = &((const ReportTable *)table)->lines[code];
    if (!line->for_each_lane)
        write_line(line, lanes, values, 0, lanes);
    else
        for (int64_t lane = 0; lane < lanes; lane++)
            if (is_active(line, lanes, values, lane)) write_line(line, lanes, values, lane, lane + 1);
    return (int32_t)((atomic_fetch_add_explicit(&events, 1, memory_order_relaxed) + 1) & MAX_EVENTS);
}
