/* Texts in JSON. */
#include "json_text.h"

#include <stdbool.h>

/* Bytes of the UTF-8 character that begins here; 0 if none does. */
static int character_length(const unsigned char *text)
{
    const int length = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] >= 0x80 && (text[0] < 0xc2 || text[0] > 0xf4))
        return 0;
    for (int i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    }
    const bool too_long = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    const bool no_character = (text[0] == 0xed && text[1] > 0x9f) || (text[0] == 0xf4 && text[1] > 0x8f);
    return too_long || no_character ? 0 : length;
}

void json_text(FILE *file, const char *text)
{
    putc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        const int length = character_length(c);
        if (length == 0)
            fputs("\\ufffd", file);
        else if (*c < ' ' || *c == 0x7f)
            fprintf(file, "\\u%04x", *c);
        else
            fprintf(file, "%s%.*s", *c == '"' || *c == '\\' ? "\\" : "", length, (const char *)c);
        c += length > 0 ? length : 1;
    }
    putc('"', file);
}
