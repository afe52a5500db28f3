/* SPDX-License-Identifier: ISC */
/*
 * peak - run a command and say how much memory it had resident at most, mapped files included.
 *
 *   peak FILE COMMAND [ARGUMENT...]
 *
 * Writes the number of kibibytes, as getrusage(2) counts them, into FILE. The status is the command's; 125 where it
 * could not be run, 126 where a signal ended it.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct rusage used;
    int status;

    if (argc < 3) {
        fputs("usage: peak FILE COMMAND [ARGUMENT...]\n", stderr);
        return 125;
    }
    FILE *out = fopen(argv[1], "we");
    if (!out) {
        perror(argv[1]);
        return 125;
    }
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(125);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || getrusage(RUSAGE_CHILDREN, &used) < 0) {
        perror("peak");
        return 125;
    }
    fprintf(out, "%ld\n", used.ru_maxrss);
    if (fclose(out) != 0)
        return 125;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
