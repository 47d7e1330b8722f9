/* Fuzz target: configuration files of any bytes are read or refused with a text, and what was read
 * is printed as a file that reads back to the same print. */
#include "core/config_file.h"
#include "network/network_config.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    network_config config;
    setting_section section = {network_setting_rows, network_setting_count, &config};
    settings settings = {&section, 1};
    status status = STATUS_INIT;
    if (settings_defaults(&settings, &status) != STATUS_OK) abort();
    if (config_text_read(&settings, "fuzz", (const char *)data, size, &status) != STATUS_OK) {
        if (status.text == NULL || strlen(status.text) < 10) abort();
        status_clear(&status);
        return 0;
    }
    if (network_config_check(&config, &status) != STATUS_OK) status_clear(&status);
    char *first = settings_yaml(&settings);
    if (config_text_read(&settings, "print", first, strlen(first), &status) != STATUS_OK) abort();
    char *second = settings_yaml(&settings);
    if (strcmp(first, second) != 0) abort();
    free(first);
    free(second);
    return 0;
}
