/* safetensors files: reading, which trusts nothing, and writing.
 *
 * The parsed header stays alive as long as the file: names and metadata texts point into it.  Every offset is
 * checked against the data before a pointer is made of it.
 *
 * A file with one 2 x 3 tensor:
 *
 *     50 00 00 00 00 00 00 00                                                      header of 80 bytes
 *     {"__metadata__":{},"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}   and spaces up to 80
 *     24 bytes                                                                     w[0][0], w[0][1], ...
 *
 * Reading is linear in the size of the file, but for sorting names; sizes are checked for overflow before
 * they are multiplied or added, and nothing is allocated by a size that the file merely claims.
 *
 * Order of checks: length of the header, JSON, metadata, each tensor by itself (type, shape, offsets), all
 * tensors together (no overlap, no holes), the checksum.  Each step relies on those before it.
 *
 * Writing makes the header first, since it has all offsets, then writes header and values to a temporary file
 * that replaces the old one when it is complete (base/file.h). */
#include "machine/safetensors.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/file.h"
#include "base/memory.h"
#include "machine/checksum.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are copied as they are in the file");

#define LENGTH_BYTES 8
#define METADATA "__metadata__"
#define SHOWN_NAME 100 /* bytes of a name that a message shows */

/* A file in memory.  Invariant once it was handed out: the promises of safetensors.h; by_name has the
 * same tensors as `tensors`, sorted by name. */
struct safetensors {
    char *name;     /* of the file, for messages */
    buffer content; /* the bytes, where safetensors_read read them */
    const unsigned char *data;
    size_t data_size;
    json_t *header;
    json_t *metadata;                   /* inside header; NULL if there is none */
    const char **pairs;                 /* key, text, key, text, ... */
    safetensors_tensor *tensors;        /* in the order of the header */
    const safetensors_tensor **by_name; /* sorted */
    int count;
};

/* Names of types in headers, and bytes per value. */
static const struct {
    const char *name;
    size_t size;
} types[] = {
    [SAFETENSORS_F32] = {"F32", 4}, [SAFETENSORS_F64] = {"F64", 8}, [SAFETENSORS_I64] = {"I64", 8},
    [SAFETENSORS_I32] = {"I32", 4}, [SAFETENSORS_U8] = {"U8", 1},
};
#define TYPES (sizeof types / sizeof types[0])

const char *safetensors_type_name(safetensors_type type)
{
    return types[type].name;
}

size_t safetensors_type_size(safetensors_type type)
{
    return types[type].size;
}

/* ---- messages ---- */

/* How much of a name to show. */
static int shown_length(const char *text)
{
    return (int)text_cut(text, strnlen(text, SHOWN_NAME + 1), SHOWN_NAME);
}

/* "file: tensor 'name': cause", without a tensor where it is NULL.  Names and excerpts come from the file,
 * and may hold line breaks or worse, which are not for a terminal. */
__attribute__((format(printf, 5, 6))) static nlm_status
fail(nlm_error *error, nlm_status status, const char *file, const char *tensor, const char *format, ...)
{
    if (!error)
        return status;
    char cause[NLM_ERROR_SIZE / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    if (!tensor)
        return error_in_file(error, status, file, "%s", cause);
    int shown = shown_length(tensor);
    return error_in_file(error, status, file, "tensor '%.*s%s': %s", shown, tensor,
                         tensor[shown] ? "..." : "", cause);
}

/* Of a file that is read; `tensor` is its name, or NULL. */
#define REFUSE(file, tensor, ...) fail(error, NLM_BAD_FILE, (file)->name, tensor, __VA_ARGS__)

/* ---- reading: one tensor ---- */

/* The shape and the bytes it needs.  A file may claim any shape: 2^40 times 2^40 numbers must be refused as
 * an overflow, not wrap round to a small size that then fits. */
static nlm_status parse_shape(const safetensors *file, const json_t *entry, safetensors_tensor *tensor,
                              size_t *bytes, nlm_error *error)
{
    const json_t *shape = json_object_get(entry, "shape");
    if (!json_is_array(shape))
        return REFUSE(file, tensor->name, "shape is missing or not an array");
    size_t dimensions = json_array_size(shape);
    if (dimensions > SAFETENSORS_MAX_DIMENSIONS)
        return REFUSE(file, tensor->name, "%zu dimensions, at most %d are supported", dimensions,
                      SAFETENSORS_MAX_DIMENSIONS);
    tensor->dimensions = (int)dimensions;
    tensor->count = 1;
    /* all extents are parsed before an overflow is reported, so that a wrong extent is named first */
    bool fits = true;
    for (size_t i = 0; i < dimensions; i++) {
        const json_t *extent = json_array_get(shape, i);
        if (!json_is_integer(extent) || json_integer_value(extent) < 0)
            return REFUSE(file, tensor->name, "shape[%zu] is not a whole number of at least 0", i);
        tensor->shape[i] = json_integer_value(extent);
        fits = fits && (uint64_t)tensor->shape[i] <= SIZE_MAX &&
               memory_multiply(tensor->count, (size_t)tensor->shape[i], &tensor->count);
    }
    if (!fits || !memory_multiply(tensor->count, types[tensor->type].size, bytes))
        return REFUSE(file, tensor->name, "the sizes of its shape overflow");
    return NLM_OK;
}

/* The bytes of a tensor: inside the data, as many as its shape needs, aligned to its type. */
static nlm_status parse_offsets(const safetensors *file, const json_t *entry, safetensors_tensor *tensor,
                                size_t bytes, nlm_error *error)
{
    const json_t *offsets = json_object_get(entry, "data_offsets");
    const json_t *first = json_array_get(offsets, 0), *second = json_array_get(offsets, 1);
    if (json_array_size(offsets) != 2 || !json_is_integer(first) || !json_is_integer(second))
        return REFUSE(file, tensor->name, "data_offsets is not two whole numbers");
    json_int_t begin = json_integer_value(first), end = json_integer_value(second);
    if (begin < 0 || begin > end)
        return REFUSE(file, tensor->name,
                      "data_offsets [%" JSON_INTEGER_FORMAT ", %" JSON_INTEGER_FORMAT "] are not in order",
                      begin, end);
    /* end is not negative here: it is at least begin */
    if ((uint64_t)end > file->data_size)
        return REFUSE(file, tensor->name,
                      "data ends at %" JSON_INTEGER_FORMAT ", beyond the file's %zu bytes of data", end,
                      file->data_size);
    if ((size_t)(end - begin) != bytes)
        return REFUSE(file, tensor->name,
                      "data_offsets span %" JSON_INTEGER_FORMAT " bytes, its shape needs %zu", end - begin,
                      bytes);
    if ((size_t)begin % types[tensor->type].size)
        return REFUSE(file, tensor->name,
                      "data begins at %" JSON_INTEGER_FORMAT ", not a multiple of the %zu bytes of %s", begin,
                      types[tensor->type].size, types[tensor->type].name);
    tensor->data = file->data + begin;
    return NLM_OK;
}

/* Type first: the size of a value is needed to check shape and offsets.  Only the types that models and their
 * tools use are known. */
static nlm_status parse_tensor(const safetensors *file, const char *name, const json_t *entry,
                               safetensors_tensor *tensor, nlm_error *error)
{
    tensor->name = name;
    if (!json_is_object(entry))
        return REFUSE(file, name, "its entry is not an object");
    const char *type = json_string_value(json_object_get(entry, "dtype"));
    if (!type)
        return REFUSE(file, name, "dtype is missing or not a string");
    size_t bytes = 0, number = 0;
    while (number < TYPES && strcmp(type, types[number].name) != 0)
        number++;
    if (number == TYPES)
        return REFUSE(file, name, "dtype '%.*s' is not supported (F32, F64, I64, I32 and U8 are)",
                      shown_length(type), type);
    tensor->type = (safetensors_type)number;
    nlm_status status = parse_shape(file, entry, tensor, &bytes, error);
    return status ? status : parse_offsets(file, entry, tensor, bytes, error);
}

/* ---- reading: the file ---- */

/* Length, JSON, data.  Limits are checked before Jansson sees a byte; a name that occurs twice is refused. */
static nlm_status parse_header(safetensors *file, const unsigned char *bytes, size_t size, nlm_error *error)
{
    if (size < LENGTH_BYTES)
        return REFUSE(file, NULL, "%zu bytes are too few for a safetensors file", size);
    uint64_t length;
    memcpy(&length, bytes, LENGTH_BYTES);
    /* the length is the first thing that a file of another kind gets wrong */
    if (length > SAFETENSORS_MAX_HEADER)
        return REFUSE(file, NULL, "not a safetensors file: header of %llu bytes, at most %d are allowed",
                      (unsigned long long)length, SAFETENSORS_MAX_HEADER);
    if (length > size - LENGTH_BYTES)
        return REFUSE(file, NULL,
                      "cut short or not a safetensors file: header of %llu bytes in a file of %zu",
                      (unsigned long long)length, size);
    /* the format wants '{' as the first byte: Jansson would also take blanks before it */
    if (length == 0 || bytes[LENGTH_BYTES] != '{')
        return REFUSE(file, NULL, "header is not a JSON object");
    file->data = bytes + LENGTH_BYTES + length;
    file->data_size = size - LENGTH_BYTES - (size_t)length;

    /* duplicates are refused: two readers could otherwise see two different files in one */
    json_error_t cause;
    file->header =
        json_loadb((const char *)bytes + LENGTH_BYTES, (size_t)length, JSON_REJECT_DUPLICATES, &cause);
    if (!file->header && !cause.text[0]) /* that is how Jansson reports that it got no memory */
        return error_no_memory(error);
    if (!file->header)
        return REFUSE(file, NULL, "header: %s, byte %d", cause.text, cause.position);
    return NLM_OK;
}

/* "__metadata__" maps texts to texts, and may be missing. */
static nlm_status parse_metadata(safetensors *file, nlm_error *error)
{
    file->metadata = json_object_get(file->header, METADATA);
    if (file->metadata && !json_is_object(file->metadata))
        return REFUSE(file, NULL, METADATA " is not a JSON object");
    /* without metadata the size is 0, and the loop below visits nothing */
    file->pairs = memory_new(json_object_size(file->metadata), 2 * sizeof *file->pairs);
    if (!file->pairs)
        return error_no_memory(error);
    const char **next = file->pairs;
    const char *key;
    json_t *value;
    json_object_foreach(file->metadata, key, value)
    {
        if (!json_is_string(value))
            return REFUSE(file, NULL, METADATA " '%.*s' is not a string", shown_length(key), key);
        *next++ = key;
        *next++ = json_string_value(value);
    }
    return NLM_OK;
}

/* All entries of the header but the metadata. */
static nlm_status parse_tensors(safetensors *file, nlm_error *error)
{
    size_t count = json_object_size(file->header) - (file->metadata != NULL);
    file->tensors = memory_new(count, sizeof *file->tensors);
    file->by_name = memory_new(count, sizeof *file->by_name);
    if (!file->tensors || !file->by_name)
        return error_no_memory(error);
    /* the order of the header is kept: it is the order in which tensors are listed */
    const char *name;
    json_t *entry;
    json_object_foreach(file->header, name, entry)
    {
        if (entry == file->metadata)
            continue;
        safetensors_tensor *tensor = &file->tensors[file->count];
        nlm_status status = parse_tensor(file, name, entry, tensor, error);
        if (status)
            return status;
        /* count grows with accepted tensors only, so a half-read file can be freed */
        file->by_name[file->count++] = tensor;
    }
    return NLM_OK;
}

/* Cannot overflow: parse_shape has checked it. */
static size_t tensor_bytes(const safetensors_tensor *tensor)
{
    return tensor->count * types[tensor->type].size;
}

/* By place in the data; of tensors that begin at the same byte, empty ones come first. */
static int compare_places(const void *left, const void *right)
{
    const safetensors_tensor *a = *(const safetensors_tensor *const *)left;
    const safetensors_tensor *b = *(const safetensors_tensor *const *)right;
    const unsigned char *a_data = a->data, *b_data = b->data;
    if (a_data != b_data)
        return a_data < b_data ? -1 : 1;
    size_t a_bytes = tensor_bytes(a), b_bytes = tensor_bytes(b);
    return (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

/* For qsort and bsearch; names are unique, since the header was read with JSON_REJECT_DUPLICATES. */
static int compare_names(const void *left, const void *right)
{
    const safetensors_tensor *a = *(const safetensors_tensor *const *)left;
    const safetensors_tensor *b = *(const safetensors_tensor *const *)right;
    return strcmp(a->name, b->name);
}

/* The tensors cover the data without overlap and without holes, so no bytes can hide in a file.  Borrows
 * by_name for the order. */
static nlm_status check_cover(safetensors *file, nlm_error *error)
{
    /* in the order of places each tensor must begin where the one before it ends */
    size_t covered = 0;
    qsort(file->by_name, (size_t)file->count, sizeof *file->by_name, compare_places);
    for (int i = 0; i < file->count; i++) {
        const safetensors_tensor *tensor = file->by_name[i];
        size_t begin = (size_t)((const unsigned char *)tensor->data - file->data);
        if (begin < covered)
            return REFUSE(file, tensor->name, "data overlaps that of tensor '%.*s'",
                          shown_length(file->by_name[i - 1]->name), file->by_name[i - 1]->name);
        if (begin > covered)
            return REFUSE(file, tensor->name, "data begins at %zu, after a hole of %zu bytes", begin,
                          begin - covered);
        covered += tensor_bytes(tensor);
    }
    if (covered < file->data_size)
        return REFUSE(file, NULL, "%zu bytes of data after the last tensor's", file->data_size - covered);
    return NLM_OK;
}

/* Accept the bytes or refuse them, step by step; `file` can be freed after either. */
static nlm_status parse(safetensors *file, const void *bytes, size_t size, nlm_error *error)
{
    nlm_status status = parse_header(file, bytes, size, error);
    if (!status)
        status = parse_metadata(file, error);
    if (!status)
        status = parse_tensors(file, error);
    if (!status)
        status = check_cover(file, error);
    char found[CHECKSUM_TEXT];
    if (!status && !checksum_fits(file, found))
        status = REFUSE(file, NULL,
                        "damaged: the checksum of its content is %s, not the one it was written with", found);
    if (!status)
        qsort(file->by_name, (size_t)file->count, sizeof *file->by_name, compare_names);
    return status;
}

/* The file of that name or, unless they are NULL, these bytes.  The bytes of a file are kept as long as it:
 * tensors point into them. */
static nlm_status open_file(const char *name, const void *bytes, size_t size, safetensors **file,
                            nlm_error *error)
{
    *file = NULL;
    safetensors *made = memory_new(1, sizeof *made);
    nlm_status status = NLM_OK;
    if (!made || !(made->name = memory_copy_text(name)))
        status = error_no_memory(error);
    if (!status && !bytes)
        status = file_read_input(name, SAFETENSORS_MAX_FILE, &made->content, &size, error);
    if (!status)
        status = parse(made, bytes ? bytes : made->content.data, size, error);
    if (status)
        safetensors_free(made);
    else
        *file = made;
    return status;
}

nlm_status safetensors_read(const char *path, safetensors **file, nlm_error *error)
{
    return open_file(path, NULL, 0, file, error);
}

/* NULL stands for no bytes, which is refused as too few. */
nlm_status safetensors_parse(const void *bytes, size_t size, const char *name, safetensors **file,
                             nlm_error *error)
{
    return open_file(name, bytes ? bytes : "", size, file, error);
}

/* Names, texts and data that were handed out end here. */
void safetensors_free(safetensors *file)
{
    if (!file)
        return;
    json_decref(file->header);
    memory_free(file->pairs);
    memory_free(file->tensors);
    memory_free(file->by_name);
    buffer_free(&file->content);
    memory_free(file->name);
    memory_free(file);
}

/* ---- contents ---- */

int safetensors_count(const safetensors *file)
{
    return file->count;
}

const safetensors_tensor *safetensors_at(const safetensors *file, int index)
{
    return &file->tensors[index];
}

/* bsearch wants a key of the elements' type: a pointer to a tensor. */
const safetensors_tensor *safetensors_find(const safetensors *file, const char *name)
{
    const safetensors_tensor wanted = {.name = name}, *key = &wanted;
    const safetensors_tensor **found =
        bsearch(&key, file->by_name, (size_t)file->count, sizeof *file->by_name, compare_names);
    return found ? *found : NULL;
}

/* memcpy: the data of a file in memory need not be aligned. */
nlm_status safetensors_floats(const safetensors *file, const safetensors_tensor *tensor, float *values,
                              nlm_error *error)
{
    if (tensor->type != SAFETENSORS_F32)
        return REFUSE(file, tensor->name, "dtype is %s, F32 is needed", types[tensor->type].name);
    if (tensor->count)
        memcpy(values, tensor->data, tensor->count * sizeof *values);
    return NLM_OK;
}

/* json_object_get and json_string_value pass NULL on, so a file without metadata needs no test. */
const char *safetensors_metadata(const safetensors *file, const char *key)
{
    return json_string_value(json_object_get(file->metadata, key));
}

const char *const *safetensors_metadata_pairs(const safetensors *file, int *pairs)
{
    *pairs = (int)json_object_size(file->metadata);
    return file->pairs;
}

/* ---- writing ---- */

/* Add to a JSON object, which takes over the value.  `kind` names the key's role in a message.  A name that
 * is taken is found first: Jansson would replace the value.  It does not say which of the two other reasons
 * it had to fail. */
static nlm_status add(json_t *object, const char *key, json_t *value, const char *kind, const char *path,
                      nlm_error *error)
{
    if (json_object_get(object, key)) {
        json_decref(value);
        return fail(error, NLM_BAD_ARGUMENT, path, NULL, "%s '%.*s': the name is taken", kind,
                    shown_length(key), key);
    }
    if (!value || json_object_set_new(object, key, value))
        return fail(error, NLM_BAD_ARGUMENT, path, NULL, "%s '%.*s': not valid UTF-8, or out of memory", kind,
                    shown_length(key), key);
    return NLM_OK;
}

/* The metadata object comes first, so that no tensor can take its name.  A checksum among the pairs is that
 * of the file they were read from, and is left out. */
static nlm_status add_metadata(json_t *header, const char *path, const char *const *pairs, int count,
                               checksum *sum, nlm_error *error)
{
    json_t *metadata = json_object();
    if (json_object_set_new(header, METADATA, metadata))
        return error_no_memory(error);
    nlm_status status = NLM_OK;
    for (int i = 0; i < count && !status; i++) {
        if (!strcmp(pairs[2 * i], CHECKSUM_KEY))
            continue;
        status = add(metadata, pairs[2 * i], json_string(pairs[2 * i + 1]), "metadata", path, error);
        checksum_add_pair(sum, pairs[2 * i], pairs[2 * i + 1]);
    }
    return status;
}

/* False when the shape has negative sizes or its bytes overflow. */
static bool entry_bytes(const safetensors_entry *entry, size_t *bytes)
{
    *bytes = sizeof *entry->values;
    for (int i = 0; i < entry->dimensions; i++) {
        if (entry->shape[i] < 0 || (uint64_t)entry->shape[i] > SIZE_MAX ||
            !memory_multiply(*bytes, (size_t)entry->shape[i], bytes))
            return false;
    }
    return true;
}

/* Nothing is written that the reader would refuse. */
static nlm_status check_entry(const safetensors_entry *entry, const char *path, size_t begin, size_t *end,
                              nlm_error *error)
{
    size_t bytes;
    if (entry->dimensions < 0 || entry->dimensions > SAFETENSORS_MAX_DIMENSIONS)
        return fail(error, NLM_BAD_ARGUMENT, path, entry->name, "%d dimensions, at most %d are supported",
                    entry->dimensions, SAFETENSORS_MAX_DIMENSIONS);
    if (!entry_bytes(entry, &bytes))
        return fail(error, NLM_BAD_ARGUMENT, path, entry->name,
                    "the sizes of its shape are negative or overflow");
    if (bytes > SAFETENSORS_MAX_FILE - begin)
        return fail(error, NLM_BAD_ARGUMENT, path, entry->name, "the file would have more than %zu bytes",
                    SAFETENSORS_MAX_FILE);
    *end = begin + bytes;
    return NLM_OK;
}

/* *end is where the data of the earlier entries ends, and then where this one's does. */
static nlm_status add_entry(json_t *header, const char *path, const safetensors_entry *entry, size_t *end,
                            checksum *sum, nlm_error *error)
{
    size_t begin = *end;
    nlm_status status = check_entry(entry, path, begin, end, error);
    if (status)
        return status;
    checksum_add_tensor(sum, entry->name, types[SAFETENSORS_F32].name, entry->dimensions, entry->shape,
                        entry->values, *end - begin);
    json_t *shape = json_array();
    for (int i = 0; i < entry->dimensions; i++) {
        if (json_array_append_new(shape, json_integer(entry->shape[i]))) {
            json_decref(shape);
            return error_no_memory(error);
        }
    }
    json_t *object = json_pack("{s:s, s:o, s:[I, I]}", "dtype", types[SAFETENSORS_F32].name, "shape", shape,
                               "data_offsets", (json_int_t)begin, (json_int_t)*end);
    return object ? add(header, entry->name, object, "tensor", path, error) : error_no_memory(error);
}

/* The header as text, followed by as many spaces as align the data; data_size bytes of data are to follow. */
static nlm_status print_header(const json_t *header, const char *path, size_t data_size, buffer *text,
                               size_t *length, nlm_error *error)
{
    const size_t flags = JSON_COMPACT | JSON_PRESERVE_ORDER;
    size_t bytes = json_dumpb(header, NULL, 0, flags);
    /* data begins at a multiple of 8, so values can be mapped as they are */
    *length = (bytes + LENGTH_BYTES - 1) / LENGTH_BYTES * LENGTH_BYTES;
    if (*length > SAFETENSORS_MAX_HEADER || *length + LENGTH_BYTES > SAFETENSORS_MAX_FILE - data_size)
        return fail(error, NLM_BAD_ARGUMENT, path, NULL, "too large for a safetensors file");
    if (bytes == 0 || buffer_reserve(text, *length, 1, false))
        return error_no_memory(error);
    /* spaces after JSON are blank to any reader */
    memset(text->data, ' ', *length);
    /* Printing allocates too: an incomplete header must not be written. */
    return json_dumpb(header, text->data, bytes, flags) == bytes ? NLM_OK : error_no_memory(error);
}

/* Written beside the old file and renamed when complete (base/file.h). */
static nlm_status write_file(const char *path, const buffer *header, size_t length,
                             const safetensors_entry *entries, int count, nlm_error *error)
{
    file_writer writer;
    /* little-endian, as the _Static_assert above makes sure */
    uint64_t prefix = length;
    nlm_status status = file_writer_open(&writer, path, error);
    if (!status)
        status = file_writer_write(&writer, &prefix, LENGTH_BYTES, error);
    if (!status)
        status = file_writer_write(&writer, header->data, length, error);
    for (int i = 0; i < count && !status; i++) {
        size_t bytes = 0;
        entry_bytes(&entries[i], &bytes);
        status = file_writer_write(&writer, entries[i].values, bytes, error);
    }
    return status ? status : file_writer_commit(&writer, error);
}

/* The header needs all offsets, so all entries are checked and placed before the first byte is written. */
nlm_status safetensors_write(const char *path, const safetensors_entry *entries, int count,
                             const char *const *metadata_pairs, int pairs, nlm_error *error)
{
    /* the checksum is made of the content, not of the header's bytes, so it can be a part of the header */
    size_t end = 0, length = 0;
    buffer text = {0};
    char written[CHECKSUM_TEXT];
    checksum sum;
    checksum_start(&sum);
    json_t *header = json_object();
    nlm_status status =
        header ? add_metadata(header, path, metadata_pairs, pairs, &sum, error) : error_no_memory(error);
    for (int i = 0; i < count && !status; i++)
        status = add_entry(header, path, &entries[i], &end, &sum, error);
    if (!status && json_object_set_new(json_object_get(header, METADATA), CHECKSUM_KEY,
                                       json_string(checksum_text(&sum, written))))
        status = error_no_memory(error);
    if (!status)
        status = print_header(header, path, end, &text, &length, error);
    json_decref(header);
    if (!status)
        status = write_file(path, &text, length, entries, count, error);
    buffer_free(&text);
    return status;
}
