/* bias.pl as it is written:
 *
 *     head_pred(uncle,2).  body_pred(size,2).  type(size,(piece,real)).
 *     body_pred(department,2).  constants(department,2,2).
 */
#include "facts/bias_write.h"

#include <string.h>
#include "syntax/constant.h"

/* What facts say: the arguments as they are written, of which some are constants or numbers. */
typedef struct declared {
    const char *name;
    int arity, numbers;       /* so many last ones are numbers */
    const char *const *types; /* of the objects */
    bool constants;
    constant_parts parts;
} declared;

static declared declare(const char *name, int arity, int numbers, const char *const *types)
{
    declared of = {.name = name, .arity = arity, .numbers = numbers, .types = types};
    of.constants = constant_parts_read(name, &of.parts);
    if (of.constants)
        of.arity = of.parts.arity;
    return of;
}

static void write_name(output *out, const declared *of, const char *before)
{
    output_text(out, before);
    if (of->constants)
        output_part(out, of->parts.name);
    else
        output_predicate(out, of->name);
}

static void write_number(output *out, int number, const char *after)
{
    const char digit[] = {',', (char)('0' + number), '\0'};
    output_text(out, digit);
    output_text(out, after);
}

/* Which of the arguments that are no constants stands at a place, or -1. */
static int object_at(const declared *of, int place)
{
    return of->constants ? of->parts.object[place] : place;
}

/* type(father,(person,person)). and, as Popper has it for one place, type(male,(person,)). */
static void write_types(output *out, const declared *of)
{
    write_name(out, of, "type(");
    const int objects = (of->constants ? of->parts.objects : of->arity) - of->numbers;
    for (int place = 0; place < of->arity; place++) {
        const int object = object_at(of, place);
        output_text(out, place ? "," : ",(");
        if (object >= 0 && object < objects)
            output_atom(out, of->types[object]);
        else
            output_text(out, object < 0 ? "constant" : "real");
    }
    output_text(out, of->arity == 1 ? ",)).\n" : ")).\n");
}

static void write_declaration(output *out, const declared *of, const char *before, bool typed)
{
    write_name(out, of, before);
    write_number(out, of->arity, ").\n");
    if (typed)
        write_types(out, of);
    for (int place = 0; place < of->arity && of->constants; place++)
        if (object_at(of, place) < 0) {
            write_name(out, of, "constants(");
            write_number(out, of->arity, "");
            write_number(out, place + 1, ").\n");
        }
}

/* Whether an earlier predicate with other constants has the same facts. */
static bool is_declared_already(const nlm_signature *signature, int side, int number)
{
    constant_parts own, other;
    if (!constant_parts_read(signature_at(signature, side, number)->name, &own))
        return false;
    for (int i = 0; i < number; i++)
        if (constant_parts_read(signature_at(signature, side, i)->name, &other) && other.arity == own.arity &&
            other.name.length == own.name.length && !memcmp(other.name.text, own.name.text, own.name.length))
            return true;
    return false;
}

void bias_write(output *out, const nlm_signature *signature, bias_filter counts, const void *context)
{
    output_text(out, "% Targets (head_pred) and inputs (body_pred).\n");
    for (int k = 0; k < SIGNATURE_SIDES; k++) {
        const int side = k == 0 ? SIGNATURE_TARGETS : SIGNATURE_INPUTS;
        for (int i = 0; i < signature->count[side]; i++) {
            const nlm_predicate *predicate = signature_at(signature, side, i);
            if (!counts(context, side, i) || is_declared_already(signature, side, i))
                continue;
            const declared of = declare(predicate->name, predicate->arity, 0, predicate->type);
            write_declaration(out, &of, side == SIGNATURE_TARGETS ? "head_pred(" : "body_pred(",
                              predicate->arity > 0 && *predicate->type[0]);
        }
    }
    for (int a = 0; a < signature->attribute_count; a++) {
        const nlm_attribute *first = signature_attribute_at(signature, a);
        if (first->place != first->objects)
            continue;
        const declared of = declare(first->name, first->arity, first->arity - first->objects, first->type);
        write_declaration(out, &of, "body_pred(",
                          signature->typed && (first->objects == 0 || *first->type[0]));
    }
}
