/* A folder of files that is written whole. */
#include "facts/staging.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "facts/folder.h"
#include "syntax/reading_message.h"

#define MARK_TEXT                                                                                            \
    "Not all files of this folder are there: nlm is writing them or was stopped while "                      \
    "it did.\nWrite the folder again.\n"

static const char *text_at(const buffer *texts, size_t number)
{
    return ((const char *const *)texts->data)[number];
}

static nlm_status append(staging *in, buffer *texts, size_t *count, const char *text)
{
    if (!text || buffer_reserve(texts, *count + 1, sizeof text, true))
        return error_no_memory(in->error);
    ((const char **)texts->data)[(*count)++] = text;
    return NLM_OK;
}

/* ---- planning ---- */

static nlm_status plan_name(staging *in, const char *path)
{
    return !path || names_intern(&in->names, &in->texts, path, strlen(path), 0) < 0
               ? error_no_memory(in->error)
               : NLM_OK;
}

nlm_status staging_add_folder(staging *in, const char *path)
{
    nlm_status status = append(in, &in->folders, &in->folder_count, path);
    return status ? status : plan_name(in, path);
}

nlm_status staging_add_file(staging *in, const char *folder, const char *name)
{
    const char *path = folder_join(&in->texts, folder, name);
    if (buffer_reserve(&in->files, in->file_count + 1, sizeof(staged_file), true))
        return error_no_memory(in->error);
    *staging_at(in, in->file_count++) = (staged_file){.path = path};
    return plan_name(in, path);
}

/* ---- folders ---- */

static bool is_planned(const staging *in, const char *path, size_t length)
{
    return names_find(&in->names, path, length, 0) >= 0;
}

/* A folder that is there holds nothing that is not planned, but for what a killed process has left, which is
 * removed. */
static nlm_status check_folder(staging *in, const char *path, bool replace)
{
    folder_list there;
    nlm_status status = folder_read(&there, path, in->error);
    for (int i = 0; i < there.count && !status; i++) {
        const char *entry = folder_join(&in->texts, path, folder_at(&there, i));
        size_t length;
        if (!entry)
            status = error_no_memory(in->error);
        else if (file_is_temporary(entry, &length) && is_planned(in, entry, length))
            unlink(entry);
        else if ((in->is_occupied = true) && !replace)
            status = message_argument(in->error, "%.200s is not empty: choose another folder", path);
        else if (!is_planned(in, entry, strlen(entry)))
            status = message_argument(in->error,
                                      "%.200s holds %s, which is not part of what is to be written: choose "
                                      "another folder",
                                      path, message_cut_text(folder_at(&there, i)).text);
    }
    folder_free(&there);
    return status;
}

/* The outermost folder is locked before anything in it is looked at. */
static nlm_status make_folder(staging *in, size_t number, bool replace)
{
    const char *path = text_at(&in->folders, number);
    const bool is_new = !mkdir(path, 0777);
    if (!is_new && errno != EEXIST)
        return message_io(in->error, path, errno);
    nlm_status status = is_new ? append(in, &in->made, &in->made_count, path) : NLM_OK;
    if (!status && number == 0)
        status = nlm_lock_take(path, &in->lock, in->error);
    return status || is_new ? status : check_folder(in, path, replace);
}

static nlm_status put_mark(staging *in)
{
    file_writer writer;
    nlm_status status = file_writer_open(&writer, in->mark, in->error);
    if (!status)
        status = file_writer_write(&writer, MARK_TEXT, strlen(MARK_TEXT), in->error);
    if (!status)
        status = file_writer_commit(&writer, in->error);
    in->is_marked = !status;
    return status;
}

nlm_status staging_begin(staging *in, bool replace)
{
    in->mark = folder_join(&in->texts, text_at(&in->folders, 0), STAGING_MARK);
    nlm_status status = plan_name(in, in->mark);
    if (!status)
        in->is_marked = in->mark_stays = !access(in->mark, F_OK);
    if (!status)
        status = make_folder(in, 0, replace || in->is_marked);
    /* Where nothing can be lost, the mark is there from the start, in case the process is killed. */
    if (!status && !in->is_marked && !in->is_occupied)
        status = put_mark(in);
    for (size_t i = 1; i < in->folder_count && !status; i++)
        status = make_folder(in, i, replace || in->is_marked);
    return status;
}

/* ---- the end ---- */

nlm_status staging_end(staging *in, nlm_status status)
{
    if (!status && !in->is_marked)
        status = put_mark(in);
    in->mark_stays |= !status;
    for (size_t i = 0; i < in->file_count && !status; i++)
        status = file_writer_commit(&staging_at(in, i)->writer, in->error);
    if (!status && unlink(in->mark))
        status = message_io(in->error, in->mark, errno);
    for (size_t i = 0; i < in->file_count; i++)
        file_writer_abort(&staging_at(in, i)->writer);
    if (status && !in->mark_stays) {
        if (in->is_marked)
            unlink(in->mark);
        while (in->made_count > 0)
            rmdir(text_at(&in->made, --in->made_count));
    }
    nlm_lock_release(in->lock);
    names_free(&in->names);
    text_free(&in->texts);
    buffer_free(&in->folders);
    buffer_free(&in->files);
    buffer_free(&in->made);
    return status;
}

/* ---- reading ---- */

nlm_status staging_check(const char *folder, nlm_error *error)
{
    static const char *const places[] = {STAGING_MARK, "../" STAGING_MARK};
    nlm_status status = NLM_OK;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && !status; i++) {
        text_store texts = {0};
        const char *mark = folder_join(&texts, folder, places[i]);
        if (!mark)
            status = error_no_memory(error);
        else if (!access(mark, F_OK))
            status = message_refuse(error, mark, 0,
                                    "not all files of this folder are there: it is being written, or that "
                                    "was stopped; write it again");
        text_free(&texts);
    }
    return status;
}
