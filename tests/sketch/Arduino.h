// As much of the Arduino API as a clock's sketch uses, on this host. The port is a pseudo terminal, the contacts and
// displays are lines on standard input and output, the time is the host's. It decides nothing of the clock.
//   program PATH          PATH is the port: a link to the terminal. Time passes by itself
//   program               in lock step: time passes by `run` alone, and the port is `feed` and `tx`
// in:  pin N 0|1          a contact at pin N: 0 is closed
//      lose 0|1           what it writes is lost from now on, or no longer
//      say TEXT           noise on the line from the clock
//      feed TEXT          a line to the clock
//      run MS             until then, answered with `ok`
// out: pin N 0|1          it sets an output
//      shown ROW L R      a row of the two displays (1 to 8, from the right), segments in hex
//      tx LINE            it wrote that
#pragma once
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <string>

enum { LOW, HIGH };
enum { INPUT, OUTPUT, INPUT_PULLUP };
enum { LSBFIRST, MSBFIRST };
enum { A0 = 200 };

static bool host_lock;
static uint64_t host_time;   // of lock step, in microseconds
static uint64_t host_us() {
  if (host_lock) return host_time;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  static const int64_t start = now.tv_sec;
  return uint64_t(now.tv_sec - start) * 1000000 + now.tv_nsec / 1000;
}
inline uint32_t millis() { return uint32_t(host_us() / 1000); }
inline uint32_t micros() { return uint32_t(host_us()); }

static int host_level[256];
static bool host_output[256];
static int host_chain[4], host_latch = -1;

inline void pinMode(int pin, int mode) {
  if (mode == INPUT_PULLUP) host_level[pin] = HIGH;
  host_output[pin] = mode == OUTPUT;
}
inline int digitalRead(int pin) { return host_level[pin]; }
inline int analogRead(int) {
  static FILE *noise = fopen("/dev/urandom", "rb");
  return (fgetc(noise) << 2) & 1023;
}
inline void digitalWrite(int pin, int level) {
  if (!host_output[pin] || host_level[pin] == level) return;
  host_level[pin] = level;
  if (host_latch >= 0) {   // a chip select that rises after bytes were shifted out: both modules take what they hold
    if (host_chain[2] >= 1 && host_chain[2] <= 8) printf("shown %d %02x %02x\n", host_chain[2], host_chain[3], host_chain[1]);
    host_latch = -1;
    return;
  }
  printf("pin %d %d\n", pin, level);
}
inline void shiftOut(int, int, int, uint8_t value) {
  memmove(host_chain, host_chain + 1, 3 * sizeof(int));
  host_chain[3] = value;
  host_latch = 1;
}

struct HostSerial {
  int port = -1;
  bool lost = false;
  std::string fed, said;
  void begin(long) {}
  int available() {
    if (host_lock) return int(fed.size());
    struct pollfd ready = {port, POLLIN, 0};
    return poll(&ready, 1, 0) == 1 && (ready.revents & POLLIN) ? 1 : 0;
  }
  int read() {
    uint8_t byte;
    if (host_lock) { byte = fed[0]; fed.erase(0, 1); return byte; }
    return ::read(port, &byte, 1) == 1 ? byte : -1;
  }
  int availableForWrite() { return 64; }
  size_t write(const uint8_t *bytes, size_t count) {
    for (size_t n = 0; host_lock && n < count; n++) {
      if (bytes[n] != '\n') { said += char(bytes[n]); continue; }
      if (!lost) printf("tx %s\n", said.c_str());
      said.clear();
    }
    // Nobody takes it: lost, as on a wire.
    if (!host_lock && !lost && ::write(port, bytes, count) < 0) return count;
    return count;
  }
};
static HostSerial Serial;

void setup();
void loop();

static void host_line(const char *line) {
  int pin, level;
  long ms;
  if (!strncmp(line, "feed ", 5)) Serial.fed += std::string(line + 5) + "\n";
  else if (sscanf(line, "run %ld", &ms) == 1) {
    for (; host_time < uint64_t(ms) * 1000; host_time += 250) loop();
    printf("ok\n");
  }
  else if (sscanf(line, "pin %d %d", &pin, &level) == 2 && pin >= 0 && pin < 256) host_level[pin] = level;
  else if (sscanf(line, "lose %d", &level) == 1) Serial.lost = level;
  else if (!strncmp(line, "say ", 4)) {
    std::string noise = std::string(line + 4) + "\n";
    if (::write(Serial.port, noise.data(), noise.size()) < 0) perror("say");
  }
}

static int host_open(const char *path) {
  int port = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  struct termios raw;
  if (port < 0 || grantpt(port) || unlockpt(port) || tcgetattr(port, &raw)) return -1;
  cfmakeraw(&raw);
  tcsetattr(port, TCSANOW, &raw);
  unlink(path);
  return symlink(ptsname(port), path) ? -1 : port;
}

int main(int count, char **arguments) {
  setvbuf(stdout, 0, _IOLBF, 0);
  host_lock = count < 2;
  if (!host_lock && (Serial.port = host_open(arguments[1])) < 0) return 2;
  setup();
  std::string line;
  for (;;) {
    struct pollfd hands = {0, POLLIN, 0};
    while (host_lock || poll(&hands, 1, 0) == 1) {
      char byte;
      if (::read(0, &byte, 1) != 1) return 0;
      if (byte != '\n') { line += byte; continue; }
      host_line(line.c_str());
      line.clear();
    }
    loop();
    struct timespec pause = {0, 200000};   // this host has other things to do
    nanosleep(&pause, 0);
  }
}
