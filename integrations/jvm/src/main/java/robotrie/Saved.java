package robotrie;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What saved matchers and indexes have in common ("Saved rules" of docs/hosting.md): a preamble of 20 bytes and a checksum. */
final class Saved {
	static final int PREAMBLE = 20;
	private static final int FORMAT_VERSION = 1;
	private static final int BLOCK = 16;

	final Dialect dialect;
	final long first, second, third;

	private Saved(ByteBuffer fields, Dialect dialect) {
		this.dialect = dialect;
		first = Integer.toUnsignedLong(fields.getInt());
		second = Integer.toUnsignedLong(fields.getInt());
		third = Integer.toUnsignedLong(fields.getInt());
	}

	static Saved read(String letters, byte[] data, int size) {
		if (size < PREAMBLE) throw RobotrieException.damaged(size + " bytes are fewer than the 20 of a preamble");
		if (!new String(data, 0, 4, StandardCharsets.ISO_8859_1).equals(letters + "\0")) {
			throw RobotrieException.damaged("these bytes do not begin with \"" + letters + "\"");
		}
		ByteBuffer fields = Engine.littleEndian(data).position(4);
		int version = fields.getShort() & 0xffff;
		if (version != FORMAT_VERSION) throw RobotrieException.damaged("these bytes have version " + version + ", this is version 1");
		int dialect = fields.get() & 0xff;
		int unused = fields.get() & 0xff;
		if (dialect >= Dialect.values().length) throw RobotrieException.damaged("there is no dialect " + dialect);
		if (unused != 0) throw RobotrieException.damaged("byte 7 is " + unused + ", not 0");
		return new Saved(fields, Dialect.values()[dialect]);
	}

	static void write(ByteBuffer to, String letters, Dialect dialect, int first, int second, int third) {
		to.put((letters + "\0").getBytes(StandardCharsets.ISO_8859_1)).putShort((short) FORMAT_VERSION);
		to.putShort((short) dialect.ordinal()).putInt(first).putInt(second).putInt(third);
	}

	static RobotrieException wrongChecksum() {
		return RobotrieException.damaged("the checksum is wrong, so these bytes were cut off or changed");
	}

	/** FNV-1a over words in four lanes. */
	static final class Checksum {
		private final int[] lanes = {0x811c9dc5, 0x811c9dc5, 0x811c9dc5, 0x811c9dc5};
		/** Bytes that are no whole block yet. */
		private final byte[] rest = new byte[BLOCK];
		private int left;

		private static int mix(int x) {
			int product = x * 0x01000193;
			return product ^ product >>> 15;
		}

		/** Counts more bytes. */
		Checksum add(byte[] data, int from, int end) {
			while (left > 0 && left < BLOCK && from < end) rest[left++] = data[from++];
			if (left == BLOCK) {
				left = 0;
				blocks(rest, 0, BLOCK);
			}
			for (from = blocks(data, from, end); from < end; ) rest[left++] = data[from++];
			return this;
		}

		private int blocks(byte[] data, int from, int end) {
			ByteBuffer words = Engine.littleEndian(data);
			for (; end - from >= BLOCK; from += BLOCK) {
				for (int lane = 0; lane < 4; lane++) lanes[lane] = mix(lanes[lane] ^ words.getInt(from + 4 * lane));
			}
			return from;
		}

		int value() {
			int sum = lanes[0];
			for (int lane = 1; lane < 4; lane++) sum = mix(sum ^ lanes[lane]);
			for (int i = 0; i < left; i++) sum = mix(sum ^ (rest[i] & 0xff));
			return sum;
		}
	}
}
