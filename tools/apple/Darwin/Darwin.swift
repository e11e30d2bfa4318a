// What the Swift overlay of Darwin adds to the C declarations, as the Swift project publishes it (stdlib/public/Platform):
// variadic functions and macros that Swift cannot import.
@_exported import Darwin

public var errno: Int32 {
  get { 0 }
  set {}
}
public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { fatalError() }
public var S_IFMT: mode_t { 0o170000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
public var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }
public typealias SignalHandler = @convention(c) (Int32) -> Void
public var SIG_IGN: SignalHandler { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }
public func openat(_ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
public func fcntl(_ file: Int32, _ command: Int32) -> Int32 { -1 }
public func fcntl(_ file: Int32, _ command: Int32, _ value: Int32) -> Int32 { -1 }
public func fcntl(_ file: Int32, _ command: Int32, _ place: UnsafeMutableRawPointer) -> Int32 { -1 }
public func ioctl(_ file: Int32, _ request: UInt, _ place: UnsafeMutableRawPointer) -> Int32 { -1 }
