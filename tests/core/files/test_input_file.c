/* core/input_file: plain files are opened, anything else is refused at once. */
#include "core/files/input_file.h"

#include "tests/support/core/scratch_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[SCRATCH_FOLDER_BYTES];

static int make_folder(void **state) {
    (void)state;
    return scratch_folder_make(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return scratch_folder_remove(folder);
}

static void refused(const char *path, const char *reason) {
    struct status status = STATUS_INIT;
    FILE *file = stdin;
    assert_int_equal(input_file_open(&file, path, &status), STATUS_INPUT);
    assert_null(file);
    assert_non_null(strstr(status.text, path));
    assert_non_null(strstr(status.text, reason));
    status_clear(&status);
}

static void plain_files_and_links_to_them_are_opened(void **state) {
    (void)state;
    FILE *file = fopen("file", "w");
    assert_non_null(file);
    fputs("text", file);
    fclose(file);
    assert_int_equal(symlink("file", "link"), 0);
    assert_int_equal(input_file_open(&file, "link", NULL), STATUS_OK);
    char text[8] = "";
    assert_int_equal(fread(text, 1, sizeof text, file), 4);
    fclose(file);
    refused("missing", "cannot be opened: No such file");
    refused("file/inner", "cannot be opened: Not a directory");
}

static void pipes_folders_devices_and_sockets_are_refused(void **state) {
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    refused("pipe", "is a pipe, not a file");
    refused(folder, "is a folder, not a file");
    refused("/dev/null", "is a device, not a file");
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int socket_end = socket(AF_UNIX, SOCK_STREAM, 0);
    if (socket_end >= 0 && bind(socket_end, (struct sockaddr *)&address, sizeof address) == 0)
        refused("socket", "is a socket, not a file");
    if (socket_end >= 0) close(socket_end);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_files_and_links_to_them_are_opened),
        cmocka_unit_test(pipes_folders_devices_and_sockets_are_refused)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
